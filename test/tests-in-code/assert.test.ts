import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { writeInlineFiles } from '../helpers/run-inline-tests.js';
import { runProgram } from '../helpers/understudy.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = createScratch('assert');
afterAll(() => scratch.remove());

it('the example passes in node:test', async () => {
  const example = join(root, 'examples/assert/explore.test.mjs');
  const { stdout, code } = await runProgram([process.execPath, '--test', '--test-reporter=tap', example]);
  expect(stdout.match(/^ok/gm)).toHaveLength(2);
  expect(code).toBe(0);
});

/** A program of CommonJS: what each of these says. */
const SCRIPT = `
const { Conversation, defineCheck } = require('agent-understudy');
const { expectRun, expectTurn, runProgram } = require('agent-understudy/assert');
const rule = { pattern: { type: 'contains', text: 'hello' }, response: 'Hello. Next, run /plan.' };
const scenario = { responses: [rule] };
const field = (judge) => ({ fields: { lit: { description: 'There is light.', expects: 'boolean', judge } } });
(async () => {
  const conversation = await Conversation.start({ stage: 'sim', inProcess: true, scenario });
  const said = {};
  const say = (name, action) => {
    try { action(); said[name] = 'nothing'; }
    catch ({ name: kind, code, message }) { said[name] = [kind, code, message].join(' '); }
  };
  say('nothing said', () => expectTurn(conversation, { says: 'x' }));
  const turn = await conversation.send('hello');
  const failed = await conversation.send('what?');
  say('green', () => expectTurn(turn, { suggests: '/plan', says: 'Hello' }));
  say('red', () => expectTurn(turn, { suggests: '/commit', says: 'Bye' }));
  say('turned round', () => expectTurn(turn, { says: 'Bye' }, { not: true }));
  say('not', () => expectTurn(turn, { suggests: '/plan' }, { not: true }));
  say('failed turn', () => expectTurn(failed, { says_not: 'Hello' }));
  say('failure expected', () => expectTurn(failed, { outcome: 'failed' }));
  say('conversation', () => expectTurn(conversation, { outcome: 'completed' }));
  say('whole', () => expectTurn(conversation, { says: 'Hello' }));
  say('start', () => expectTurn(conversation.start, { files: [{ path: 'a.txt', change: 'created' }] }));
  say('unjudged', () => expectTurn(turn, { workflow: 'planning' }, { not: true }));
  say('unknown field', () => expectTurn(turn, { suggest: '/plan' }));
  say('wrong type', () => expectTurn(turn, { tools: { any: 'Read' } }));
  say('empty', () => expectTurn(turn, {}));
  say('asks nothing', () => expectTurn(turn, { plugins: 'any' }, { not: true }));
  say('no turn', () => expectTurn('hello', { says: 'x' }));
  say('not awaited', () => expectTurn(conversation.send('hello'), { says: 'x' }));
  say('turn as run', () => expectRun(turn, { exit_code: 0 }));
  const own = (judge) => ({ checks: { house: defineCheck(field(judge)) } });
  const light = own(({ text }, lit) => ({ passed: text.includes('Hello') === lit, expected: 'no light', seen: text }));
  say('own green', () => expectTurn(turn, { house: { lit: true } }, light));
  say('own red', () => expectTurn(turn, { house: { lit: false } }, light));
  say('own broken', () => expectTurn(turn, { house: { lit: true } }, own(() => { throw new Error('no lamp'); })));
  say('own promise', () => expectTurn(turn, { house: { lit: true } }, own(async () => ({ passed: true }))));
  say('own nonsense', () => expectTurn(turn, { house: { lit: true } }, { checks: { house: {} } }));
  say('own prefix', () => expectTurn(turn, { says: { lit: true } }, { checks: { says: light.checks.house } }));
  await conversation.end();

  const options = { stage: 'sim', scenario, project: { files: { 'in.txt': 'hello' } } };
  const run = await runProgram('claude -p "$(cat in.txt)" > out.txt', options);
  say('run', () => expectRun(run, { calls: { count: 1 }, files: [{ path: 'out.txt', contains: 'Hello' }] }));
  say('run red', () => expectRun(run, { calls: { count: 2 } }));
  say('run not', () => expectRun(run, { exit_code: 0 }, { not: true }));
  const idle = await runProgram(['sh', '-c', 'exit 3'], { ...options, project: undefined });
  say('rule not used', () => expectRun(idle, { exit_code: 3 }));
  say('unwatched', () => expectRun(idle, { files: [{ path: 'out.txt' }] }));
  const allowed = await runProgram(['true'], { ...options, allowUnused: true });
  say('rule may be unused', () => expectRun(allowed, { exit_code: 0 }));
  said.stdout = [run.code, run.calls[0].prompt, idle.code].join(' ');
  console.log(JSON.stringify(said));
})();
`;

it('says what did not hold, in the words of a rehearsal, and what cannot be looked at', async () => {
  writeInlineFiles(scratch.path, { 'main.cjs': SCRIPT });
  const { stdout, stderr } = await runProgram([process.execPath, 'main.cjs'], { cwd: scratch.path });
  const said = JSON.parse(stdout || `{"stderr":${JSON.stringify(stderr)}}`) as Record<string, string>;
  const green = ['green', 'turned round', 'failure expected', 'whole', 'own green', 'run', 'rule may be unused'];
  expect(Object.keys(said).filter((name) => said[name] === 'nothing')).toEqual(green);
  const texts: [string, RegExp][] = [
    ['nothing said', /^HarnessError NOTHING_SAID NOTHING_SAID: no prompt was sent[\s\S]*fix: Send something/],
    ['red', /^AssertionError ERR_ASSERTION ✗ says\n {2}expected {2}contains "Bye"\n {2}seen {6}Hello\. Next/],
    ['red', /expected {2}a suggestion of \/commit[\s\S]*fix {7}Make the agent say[\s\S]*turn 1\n {2}> hello/],
    ['not', /expected {2}not: a suggestion of \/plan/],
    ['failed turn', /✗ outcome\n {2}expected {2}completed/],
    ['conversation', /✗ outcome of turn 2/],
    ['start', /✗ .*\n {2}expected {2}a\.txt is created/],
    ['unjudged', /\(could not be judged\)[\s\S]*no workflow is followed/],
    ['unknown field', /EXPECTATION_INVALID: [\s\S]*`suggest` is not a field here[\s\S]*fix: Change it to `suggests`/],
    ['wrong type', /`any` must be a list, not a string[\s\S]*Write a list: `\["Read"\]`/],
    ['empty', /EXPECTS_NOTHING/],
    ['asks nothing', /EXPECTS_NOTHING/],
    ['no turn', /NOT_A_TURN: this is no turn and no conversation/],
    ['not awaited', /NOT_A_TURN[\s\S]*fix: Await it/],
    ['turn as run', /NOT_A_TURN: this is no run of a program/],
    ['own red', /✗ house\.lit\n {2}expected {2}no light\n {2}seen {6}Hello/],
    ['own broken', /PART_FAILED: the check house\.lit failed: no lamp/],
    ['own promise', /PART_FAILED: the check house\.lit gave a promise/],
    ['own nonsense', /PART_UNUSABLE: the check house exports no check/],
    ['own prefix', /PART_UNUSABLE: `says` is a check of Understudy[\s\S]*fix: Give yours another prefix/],
    ['run red', /✗ calls: count\n {2}expected {2}2 calls\n {2}seen {6}1 call[\s\S]*program 1: /],
    ['run not', /expected {2}not: exit code 0/],
    ['rule not used', /✗ every rule is used/],
    ['unwatched', /EXPECTATION_INVALID: `files` cannot be seen here/],
    ['stdout', /^0 hello 3$/],
  ];
  for (const [name, text] of texts) expect(said[name], name).toMatch(text);
});
