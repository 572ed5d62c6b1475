import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidDocumentError } from '@understudy/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadRehearsal } from './load.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'review-run-'));
  writeFileSync(join(folder, 'tool.sh'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RULE = '[[responses]]\npattern = { type = "any" }\nresponse = "Hi."\n';

/** The problems of a rehearsal: code, place and message. */
function problemsOf(top: string, step: string): string[] {
  const file = join(folder, 'a.rehearsal.toml');
  writeFileSync(file, `${top}\n${RULE}\n[[steps]]\n${step}\n`);
  try {
    loadRehearsal(file);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidDocumentError)) throw error;
    return error.problems.map(({ code, location, message, frame }) => {
      expect(frame).toContain(`> ${location?.line}`);
      return `${code} ${location?.line}: ${message}`;
    });
  }
}

it.each<[string, string]>([
  ['agents = ["claude", "opencode"]', 'run = ["./tool.sh"]\nexpect = { calls = { agent = "opencode", max = 3 } }'],
  ['', 'run = "./tool.sh | tee log"\nstate = "session"\nexpect = { stdout = { json = { "a[0].b" = 1 } } }'],
  [
    '',
    'run = ["node", "tool.mjs"]\nexpect = { call = [{ number = -1, says = "Hi", prompt = "x" }], leftovers = "any" }',
  ],
  ['', 'run = ["tool"]\nexpect = { calls = { agent = "openai-chat" } }'],
])('takes %s %s', (top, step) => {
  expect(problemsOf(top, step)).toEqual([]);
});

it.each<[string, string, string]>([
  ['agents = ["cloude"]', 'run = ["x"]', 'AGENT_UNKNOWN 1: there is no agent named "cloude"'],
  [
    'agents = ["claude"]',
    'send = "hello"',
    'NO_EFFECT 1: `agents` are for the programs of `run` steps, and there is no such step',
  ],
  ['', 'run = ["x"]\ntimeoutms = 3', 'UNKNOWN_FIELD 8: `timeoutms` is not a field here'],
  [
    '',
    'run = ["./nope.sh"]',
    'FILE_NOT_FOUND 7: there is no program ./nope.sh, neither in the project nor beside the rehearsal',
  ],
  ['', 'run = ["x"]\nsignal = { send = "SIGINT" }', 'MISSING_FIELD 8: `signal` does not say when it is sent'],
  ['', 'run = ["x"]\nsignal = { send = "SIGFOO", after_ms = 1 }', 'UNKNOWN_VALUE 8: `send` cannot be "SIGFOO"'],
  [
    '',
    'run = ["x"]\nenv = { ANTHROPIC_API_KEY = "k" }',
    'ENV_REFUSED 8: `ANTHROPIC_API_KEY` is a credential of an agent, and a rehearsal cannot set it',
  ],
  [
    '',
    'run = ["x"]\nexpect = { exit_code = 1, signal = "SIGINT" }',
    'CONTRADICTION 8: a program ends with a code or by a signal, not both',
  ],
  ['', 'run = ["x"]\nexpect = { calls = {} }', 'EXPECTS_NOTHING 8: `calls` asks for nothing, so it could never fail'],
  ['', 'run = ["x"]\nexpect = { stdout = {} }', 'EXPECTS_NOTHING 8: `stdout` asks for nothing, so it could never fail'],
  [
    '',
    'run = ["x"]\nexpect = { calls = { agent = "codex" } }',
    'AGENT_UNKNOWN 8: codex is not among the `agents` of the rehearsal',
  ],
  [
    '',
    'run = ["x"]\nexpect = { call = [{ number = 1, agent = "cluade" }] }',
    'AGENT_UNKNOWN 8: there is no agent named "cluade"',
  ],
  [
    '',
    'run = ["x"]\nexpect = { call = [{ number = 0, says = "Hi" }] }',
    'INVALID_VALUE 8: `number` counts from 1; -1 is the last call',
  ],
  [
    '',
    'run = ["x"]\nexpect = { calls = { count = 2 }, call = [{ number = 3, says = "Hi" }] }',
    'CONTRADICTION 8: there are 2 calls by `calls.count`, so there is no call 3',
  ],
  [
    '',
    'run = ["x"]\nexpect = { call = [{ number = 1 }] }',
    'EXPECTS_NOTHING 8: `call` asks for nothing, so it could never fail',
  ],
  [
    '',
    'run = ["x"]\nexpect = { stdout = { json = { "a..b" = 1 } } }',
    'INVALID_VALUE 8: `a..b` is not a path into a JSON document',
  ],
  [
    '',
    'run = ["x"]\nexpect = { stderr = { regex = "(" } }',
    'PATTERN_REFUSED 8: this regular expression cannot be used: missing closing )',
  ],
  [
    'plugins = ["."]',
    'run = ["x"]',
    'NO_EFFECT 1: `plugins` belongs to the conversation of `send` steps, and there is no such step',
  ],
])('refuses %s %s', (top, step, problem) => {
  const [found = ''] = problemsOf(top, step);
  expect(found.startsWith(problem) ? problem : found).toBe(problem);
});
