import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { EntryResult } from '../../packages/verdict/src/results/entry-result.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { type AllowedDifference, brief, type Contract, compare, judge } from './compare.js';
import { resultOf } from './entry.js';
import { readHelp } from './help.js';
import { fold, readBase, unfold } from './recorded.js';
import { SURFACE } from './surface.js';
import { typesOf } from './types.js';

const { contract } = readBase();

/** The recorded contract with one place of it changed, or taken away. */
function changed(path: readonly string[], value?: Contract | string): Contract {
  const copy = structuredClone(contract);
  const parent = path.slice(0, -1).reduce<Contract>((at, name) => {
    const next = at[name];
    if (typeof next !== 'object') throw new Error(`there is no ${name} of ${path.join(' > ')}`);
    return next;
  }, copy);
  const last = path.at(-1) ?? '';
  expect(Object.keys(parent)).toContain(last);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

const problemsOf = (path: readonly string[], value?: Contract | string, allowed: AllowedDifference[] = []) =>
  judge(compare(contract, changed(path, value)), allowed, SURFACE);

const RED = 'understudy run red.rehearsal.toml --stage sim --json';

it.each<[string, string[], string?]>([
  ['a removed flag', ['help', 'understudy run', 'Options', '--strict']],
  ['another word of a flag', ['help', 'understudy run', 'Options', '--strict'], 'succeed when an entry was skipped'],
  ['a removed export', ['exports', './checks', 'checkKeywords']],
  ['a removed type', ['types', '.', 'ConversationOptions']],
  ['another type of an option', ['types', '.', 'ConversationOptions', 'type', '.retries?'], 'string | undefined'],
  ['another exit code', ['ends', RED, 'exit'], '0'],
  ['a rehearsal that is no longer red', ['ends', RED, 'entries', 'greeting', 'status'], 'passed'],
  ['a removed error code', ['errors', 'FILE_NOT_FOUND']],
  ['another input schema', ['mcp', 'tools', 'start_conversation', 'inputSchema', 'type'], 'array'],
  ['a removed field of a schema', ['schemas', 'result.schema.json', 'properties', 'verdict']],
  ['a variable that is no longer read', ['environment', 'UNDERSTUDY_STORE']],
  ['a removed program', ['package', 'bin', 'understudy-codex']],
  ['a file that is no longer packed', ['files', 'schema', 'scenario.schema.json']],
])('names the place of %s', (_, path, value) => {
  const [problem, ...others] = problemsOf(path, value);
  expect(others).toEqual([]);
  expect(problem).toContain(path.join(' > '));
  expect(problem).toMatch(value === undefined ? /\n {2}removed: / : /\n {2}changed: .* → /);
});

it('names the rehearsal and the check that turned red', () => {
  const step = { number: 1, send: 'hi', reached: true, said: 'Hello.', duration_ms: 1 };
  const entry = (status: 'passed' | 'failed') =>
    ({ status, checks: [], steps: [{ ...step, checks: [{ name: 'says', status }] }] }) as unknown as EntryResult;
  const result = (status: 'passed' | 'failed') => brief({ results: { greeting: resultOf(entry(status), String) } });
  expect(judge(compare(result('passed'), result('failed')), [], ['results'])).toEqual([
    'results > greeting > status\n  changed: passed → failed',
    'results > greeting > steps > 1. hi > checks > says\n  changed: passed → failed',
  ]);
});

it('sees a changed option of a type that has no public name', () => {
  const root = mkdtempSync(join(tmpdir(), 'understudy-types-'));
  const typesWith = (retries: string): Contract => {
    const options = `interface Inner { retries?: ${retries}; }\ntype Options = { agent: string; deep: Inner[] };`;
    writeFiles(root, {
      'index.d.ts': `${options}\nexport declare function start(options?: Options): void;\nexport {};\n`,
    });
    return { types: brief(typesOf(root, { '.': 'index.d.ts' })) };
  };
  try {
    expect(judge(compare(typesWith('number'), typesWith('number | string')), [], SURFACE)).toEqual([
      'types > . > start > value > call > (options?) > .deep > list of > .retries?\n  changed: number | undefined → number | string | undefined',
    ]);
    expect(compare(typesWith('1 | 2'), typesWith('2 | 1'))).toEqual([]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('sees a removed flag, and another word of one, on a page of help', () => {
  const page = (options: string) => ({
    help: brief(readHelp(`Usage: x [options]\n\nOptions:\n${options}`)) as Contract,
  });
  const both = page('  --one <n>  does one\n             thing\n  -t, --two  does two\n');
  expect(compare(both, page('  --one <n>  does one\n             thing\n')).map(({ where }) => where)).toEqual([
    'help > Options > -t, --two',
  ]);
  expect(compare(both, page('  --one <n>  does one thing\n  -t, --two  does 2\n'))).toEqual([
    { where: 'help > Options > -t, --two', what: 'changed: does two → does 2' },
  ]);
});

const REASON = 'the flag acts no more, and is refused by name';
const strict = ['help', 'understudy run', 'Options', '--strict'];

it('allows what is listed, also by a pattern', () => {
  const where = 'help > understudy run > Options > --str*';
  expect(problemsOf(strict, undefined, [{ where, what: 'removed', reason: REASON }])).toEqual([]);
  // Another kind of difference at the same place is not allowed with it.
  expect(problemsOf(strict, 'x', [{ where, what: 'removed', reason: REASON }])).toHaveLength(2);
});

it('refuses an entry that does not occur, that allows too much, or that has no reason', () => {
  const where = 'help > understudy run > Options > --quiet';
  const gone = judge([], [{ where, what: 'removed', reason: REASON }], SURFACE);
  expect(gone).toEqual([`listed, but it does not occur: ${where}\n  removed`]);
  // The other layer looks at those of its own sections.
  expect(judge([], [{ where: 'results > examples > a', what: 'removed', reason: REASON }], SURFACE)).toEqual([]);
  for (const wide of ['*', 'help > *', 'help', '* > --strict', 'help > * > *'])
    expect(problemsOf(strict, undefined, [{ where: wide, what: 'removed', reason: REASON }]).join('\n')).toContain(
      `"${wide}" allows too much`,
    );
  const vague = { where: strict.join(' > '), what: '*', reason: 'so' };
  expect(problemsOf(strict, undefined, [vague]).join('\n')).toMatch(
    /begins with removed, added or changed[\s\S]*has no reason/,
  );
});

it('gives back what it folded for the file', () => {
  const same = { text: 'x'.repeat(300) };
  const tree = { a: { one: same }, b: { one: same, two: { deep: same } } };
  const folded = fold(tree, new Map(), []) as Contract;
  expect(JSON.stringify(folded).match(/xxx/g)).toHaveLength(100);
  expect(unfold(folded, folded)).toEqual(tree);
});
