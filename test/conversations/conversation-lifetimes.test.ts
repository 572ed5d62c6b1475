import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import { writeFiles } from '../helpers/rehearsal-files.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('lifetimes');
  writeFiles(scratch.path, { 'scenario.toml': 'default_response = "Hello."\n' });
});
afterEach(() => scratch.remove());

/** The processes that have this among their arguments. */
function startedWith(argument: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(join('/proc', name, 'cmdline'), 'utf8')
        .split('\0')
        .includes(argument);
    } catch {
      return false;
    }
  });
}

it.runIf(process.platform === 'linux')('a start that fails after the agent is there ends the agent', async () => {
  const scenario = join(scratch.path, 'scenario.toml');
  const modelName = `model-of-${basename(scratch.path)}`;
  let seen: string[] = [];
  const start = Conversation.start({
    stage: 'sim',
    scenario,
    modelName,
    onEvent: () => {
      if (seen.length === 0) seen = startedWith(modelName);
      throw new Error('the test does not like this event');
    },
  });
  await expect(start).rejects.toThrow('the test does not like this event');
  expect(seen).toHaveLength(1);
  expect(startedWith(modelName)).toEqual([]);
});
