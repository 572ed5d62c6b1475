import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, InvalidDocumentError, refreshParts, UnderstudyError } from '@understudy/kit';
import { checkExpectations } from '@understudy/verdict';
import { afterAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { writeFiles } from '../../../../test/helpers/rehearsal-files.js';
import { partsOfRehearsal } from './entries.js';
import { within } from './expectations.js';
import { loadRehearsal, type Rehearsal } from './load.js';
import { checkLocator } from './locate-checks.js';
import { isRunStep } from './schema.js';

const scratch = createScratch('own-checks');
afterAll(() => scratch.remove());

const field = (judge: string, expects = "'boolean'") =>
  `export default { understudy: 'check/1', fields: { polite: { description: 'It says please.', expects: ${expects}, judge: ${judge} } } };`;
const POLITE =
  "({ text }, polite) => ({ passed: /please/i.test(text) === polite, expected: 'a polite answer', seen: text, evidence: ['x'], fix: 'Say please.' })";
const rehearsal = (expected = 'polite = true', checks = 'house = "./house.mjs"') =>
  `checks = { ${checks} }\n[[responses]]\npattern = { type = "any" }\nresponse = "Hi."\n[[steps]]\nsend = "hi"\n[steps.expect.house]\n${expected}\n`;

let count = 0;
function write(module: string, text = rehearsal(), more: Record<string, string> = {}): string {
  const folder = join(scratch.path, `${++count}`);
  writeFiles(folder, { 'house.mjs': module, 'a.rehearsal.toml': text, ...more });
  return join(folder, 'a.rehearsal.toml');
}

function problemsOf(file: string): string[] {
  try {
    loadRehearsal(file);
  } catch (error) {
    if (!(error instanceof InvalidDocumentError)) throw error;
    return error.problems.map(
      ({ code, message, location, fix }) =>
        `${location?.line} ${code}: ${message.replaceAll(scratch.path, '').replace(/\S*\/(?=house|absent)/g, '')} | ${fix ?? ''}`,
    );
  }
  return [];
}

/** Judges the first step, as if the agent had said this. */
function judge(loaded: Rehearsal, text: string) {
  const [step] = loaded.document.steps;
  if (step === undefined || isRunStep(step)) throw new Error('no such step');
  const turn = [
    { type: 'text', text, turn: 1 },
    { type: 'turn_ended', outcome: 'completed', turn: 1 },
  ] as never;
  const seen = { turn, all: turn, number: 1, workflow: undefined };
  return checkExpectations(seen, step.expect, within(checkLocator(loaded), 'steps', 0, 'expect'), loaded.checks);
}

it('is judged like any check, with its place', () => {
  const loaded = loadRehearsal(write(field(POLITE)));
  expect(judge(loaded, 'Sit down, please.')[1]).toMatchObject({ name: 'house.polite', status: 'passed' });
  expect(judge(loaded, 'Sit.')[1]).toMatchObject({
    ...{ name: 'house.polite', category: 'custom', status: 'failed', expected: 'a polite answer', actual: 'Sit.' },
    ...{ suggestion: 'Say please.', evidence: ['x'], defined_at: { line: 8 } },
  });
});

it('may say that it could not look', () => {
  const loaded = loadRehearsal(write(field("() => ({ unjudged: 'there was no screen', expected: 'a green dot' })")));
  expect(judge(loaded, 'x')[1]).toMatchObject({ status: 'unjudged', actual: 'there was no screen' });
});

it('reads its fields as ours are read', () => {
  expect(problemsOf(write(field(POLITE), rehearsal('polite = "yes"')))).toEqual([
    '8 WRONG_TYPE: `polite` must be true or false, not a string | Write true or false, without quotation marks.',
  ]);
  expect(problemsOf(write(field(POLITE), rehearsal('polit = true')))).toEqual([
    '8 UNKNOWN_FIELD: `polit` is not a field here | Change it to `polite`.',
  ]);
  expect(problemsOf(write(field(POLITE), rehearsal('')))).toEqual([
    '7 EXPECTS_NOTHING: `house` asks for nothing, so it could never fail | Say what must hold, or remove it.',
  ]);
});

it('reads them by a schema of another library, too, and gives the check what that makes of them', () => {
  (globalThis as { standard?: unknown }).standard = z.object({
    words: z._default(z.array(z.string().check(z.minLength(2))), ['hello']),
  });
  const judging = "(_, { words }) => ({ passed: true, expected: words.join(), seen: 'x' })";
  const module = field(judging, 'globalThis.standard');
  expect(judge(loadRehearsal(write(module, rehearsal('polite = {}'))), 'x')[1]).toMatchObject({ expected: 'hello' });
  const [wrong] = problemsOf(write(module, rehearsal('polite = { words = [\n"hey",\n"a"] }')));
  expect(wrong).toMatch(/^10 INVALID_VALUE: `words\[1\]` is refused: ./);
});

const expectsDefine = 'Write `export default defineCheck({ … })`';

it.each([
  ['a module that throws', 'throw new Error("no config")', 'cannot be imported: no config', 'node --check'],
  ['no syntax', 'export default {', 'cannot be imported: Unexpected end', 'node --check'],
  ['no default export', 'export const x = 1;', 'house.mjs has no default export', 'export default'],
  ['no check', 'export default 3;', 'house.mjs exports no check', expectsDefine],
  ['a function', 'export default () => ({ passed: true });', 'house.mjs exports no check', expectsDefine],
  [
    'another interface',
    'export default { understudy: "check/2", fields: {} };',
    'house.mjs was made for API 2 of parts, and this Understudy has API 1',
    'one version of agent-understudy',
  ],
  ['no fields', 'export default { understudy: "check/1", fields: {} };', 'has no fields', 'Add one'],
  ['a field without judge', field('undefined'), '`house.polite` of house.mjs cannot be used: `judge`', 'a function'],
  ['a field of no type', field(POLITE, "'date'"), '`house.polite` of house.mjs cannot be used: `expects`', 'boolean'],
  ['waiting for ever', 'await new Promise(() => {}); export default 1;', 'cannot be imported', 'Leave out `await`'],
  ['leaving', 'process.exit(0);', 'cannot be imported: it called process.exit(0)', 'node --check'],
  ['an absent package', "import 'agent-understudy-absent';", 'cannot be imported: Cannot find package', 'node --check'],
])('is refused with code, place and fix: %s', (_what, module, message, fix) => {
  const [problem, ...more] = problemsOf(write(module));
  expect(problem).toMatch(/^1 PART_UNUSABLE: /);
  expect(problem).toContain(message);
  expect(problem?.split(' | ')[1]).toContain(fix);
  expect(more).toEqual([]);
});

it('is refused where it is absent, or where its prefix is no prefix', () => {
  expect(problemsOf(write('', rehearsal('polite = true', 'house = "./absent.mjs"')))).toEqual([
    '1 PART_UNUSABLE: there is no file absent.mjs for a check | Check the path.',
  ]);
  expect(problemsOf(write(field(POLITE), rehearsal('polite = true', 'says = "./house.mjs"')))).toContain(
    '1 PART_UNUSABLE: `says` is a check of Understudy | Give yours another prefix.',
  );
  expect(problemsOf(write(field(POLITE), rehearsal('polite = true', 'The-House = "./house.mjs"')))[0]).toContain(
    'cannot be the prefix of a check',
  );
  expect(problemsOf(write(field(POLITE), rehearsal('polite = true', 'house = 3')))[0]).toContain(
    '`house` must be a string, not a number',
  );
});

it.each([
  ['throws', "() => { throw new Error('no lamp'); }", 'the check house.polite failed: no lamp'],
  ['rejects', "async () => { throw new Error('no lamp'); }", 'the check house.polite gave a promise'],
  ['never settles', '() => new Promise(() => {})', 'the check house.polite gave a promise'],
  ['gives nothing', '() => {}', 'gave what cannot be shown'],
  ['gives nonsense', '() => ({ passed: "yes", expected: "x", seen: "y" })', 'gave what cannot be shown: `passed`'],
  ['passes without a word', '() => ({ passed: true })', 'gave what cannot be shown'],
  ['leaves', '() => process.exit(0)', 'the check house.polite failed: it called process.exit(0)'],
])('that %s is an error of the harness, which names it, and never a result', (_what, judging, message) => {
  const loaded = loadRehearsal(write(field(judging)));
  expect(() => judge(loaded, 'x')).toThrow(UnderstudyError);
  try {
    judge(loaded, 'x');
  } catch (error) {
    const { code, message: told, fix, location } = error as UnderstudyError;
    expect({ code, told, fix, file: location?.file }).toMatchObject({
      ...{ code: 'PART_FAILED', told: expect.stringContaining(message), fix: expect.stringMatching(/./) },
      file: expect.stringContaining('house.mjs'),
    });
  }
});

it('changes nothing for the checks after it', () => {
  const loaded = loadRehearsal(
    write(
      field("(seen) => { seen.events[0].text = 'changed'; return { passed: true, expected: 'x', seen: seen.text }; }"),
    ),
  );
  expect([judge(loaded, 'x'), judge(loaded, 'x')].map((checks) => checks[1]?.actual)).toEqual(['x', 'x']);
});

it('is a part of the rehearsal with what it imports, also where it is broken', () => {
  const file = write(`import { x } from './deep/helper.mjs';\n${field(POLITE)}`, rehearsal(), {
    'deep/helper.mjs': 'export const x = 1;',
  });
  const names = () => partsOfRehearsal(file).map((path) => path.slice(path.lastIndexOf('/') + 1));
  expect(names()).toEqual(['a.rehearsal.toml', 'house.mjs', 'helper.mjs']);
  writeFiles(join(file, '..'), { 'a.rehearsal.toml': `${rehearsal()}\nnonsense = 1` });
  expect(names()).toEqual(['a.rehearsal.toml', 'house.mjs', 'helper.mjs']);
});

it('that has changed is never its old self', async () => {
  const file = write(
    `import { x } from './helper.mjs';\n${field("(_, wanted) => ({ passed: wanted, expected: 'one', seen: `${x}` })")}`,
    rehearsal(),
    {
      'helper.mjs': 'export const x = 1;',
    },
  );
  const seen = () => judge(loadRehearsal(file), 'x')[1]?.expected;
  const module = join(file, '../house.mjs');
  expect(seen()).toBe('one');
  writeFiles(join(file, '..'), {
    'house.mjs': `import { x } from './helper.mjs';\n${field("(_, wanted) => ({ passed: wanted, expected: 'two', seen: `${x}` })")}`,
  });
  utimesSync(module, 1, 1);
  expect(problemsOf(file)[0]).toMatch(/has changed since it was loaded \| Start the command again\./);
  await refreshParts();
  expect(seen()).toBe('two');
  writeFiles(join(file, '..'), { 'house.mjs': 'export default {' });
  await refreshParts();
  expect(problemsOf(file)[0]).toContain('cannot be imported');
  writeFiles(join(file, '..'), {
    'house.mjs': `import { x } from './helper.mjs';\n${field(POLITE)}`,
    'helper.mjs': 'export const x = 22;',
  });
  await refreshParts();
  expect(problemsOf(file)[0]).toContain('or what it imports, has changed');
});
