import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { runRehearsals } from '../faults/play.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';

/** How often Claude Code repeats a failed request: once, or as often as the script must fail before it answers. */
let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch('failed-requests');
  writeFiles(scratch.path, FILES);
});
afterAll(() => scratch.remove());

const rule = (failure: string, response = '') => `
[[responses]]
pattern = { type = "contains", text = "go" }
failure = { ${failure} }
${response}
`;
const fails = '[[steps]]\nsend = "go"\nexpect = { outcome = "failed" }\n';
const FILES = {
  'auth.rehearsal.toml': `${rule('type = "auth_error"')}${fails}`,
  'reset.rehearsal.toml': `${rule('type = "connection_reset"')}${fails}`,
  'twice.rehearsal.toml': `${rule('type = "overloaded", times = 2', 'response = "At last."')}
[[steps]]
send = "go"
expect = { says = "At last." }
`,
  'in-a-program.rehearsal.toml': `agents = ["claude"]
${rule('type = "overloaded", times = 2', 'response = "At last."')}
[[steps]]
run = ["claude", "-p", "go", "--output-format", "stream-json", "--verbose"]
expect = { stdout = "At last." }
`,
};

describe.each(['sim', 'scripted'])('on %s', (stage) => {
  it('a failure without `times` is repeated once, and others are got over', async (context) => {
    if (stage === 'scripted') await realAgent('claude', context);
    const { entries } = await runRehearsals(['.'], stage, scratch.path);
    const runs = join(scratch.path, '.understudy', 'runs');
    const seen = entries.map(({ id, status, logs = '', steps, checks, error }) => {
      const events = readFileSync(join(runs, readdirSync(runs).sort().at(-1) ?? '', logs, 'events.jsonl'), 'utf8');
      const failed = [...steps.flatMap((step) => step.checks), ...checks].filter((check) => check.status !== 'passed');
      return { id, status, failed, error, retries: events.split('"type":"retry"').length - 1 };
    });
    expect(seen).toMatchObject([
      { status: 'passed', retries: 1 },
      { status: 'passed', retries: 2 },
      { status: 'passed', retries: 1 },
      { status: 'passed', retries: 2 },
    ]);
  });
});
