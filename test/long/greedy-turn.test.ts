import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('greedy-turn');
});
afterEach(() => scratch.remove());

const MANY_FILES = 'seq 1 20001 | xargs touch';

const greedy = `name = "a greedy turn"
agent = "claude"

[[responses]]
pattern = { type = "contains", text = "make" }
response = { text = "Done.", tool_calls = [{ tool = "Bash", input = { command = "${MANY_FILES}" } }] }

[tool_execution]
mode = "live"

[[steps]]
send = "make many files"
`;

it('one turn that makes too many files is one failed result; the other rehearsals go on', async () => {
  writeFiles(scratch.path, { 'a.rehearsal.toml': greedy, 'b.rehearsal.toml': greeting({ name: 'a modest turn' }) });
  const { code, stdout, stderr } = await runUnderstudy(['run', '--stage', 'sim', '--workers', '1'], {
    cwd: scratch.path,
  });
  expect(stderr).not.toContain('    at ');
  expect(stdout).toContain('✗ a greedy turn');
  expect(stdout).toContain('holds more than 20000 files and folders');
  expect(stdout).toContain('Write fewer files');
  expect(stdout).toContain('✓ a modest turn');
  expect(stdout).toMatch(/1 passed, 1 failed|1 failed, 1 passed/);
  expect(code).toBe(1);
});

it('from code, send() gives the failed turn, and the conversation goes on', async () => {
  await using conversation = await Conversation.start({
    stage: 'sim',
    cwd: scratch.path,
    scenario: {
      responses: [
        {
          pattern: { type: 'contains', text: 'make' },
          response: { text: 'Done.', tool_calls: [{ tool: 'Bash', input: { command: MANY_FILES } }] },
        },
        { pattern: { type: 'contains', text: 'hello' }, response: 'Hello.' },
      ],
      tool_execution: { mode: 'live' },
    },
  });
  const turn = await conversation.send('make many files');
  expect(turn).toMatchObject({ outcome: 'failed', reason: 'files_not_watched' });
  expect(turn.message).toContain('Write fewer files');
  expect(await conversation.send('hello')).toMatchObject({ outcome: 'completed', text: 'Hello.' });
});
