import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UnderstudyError } from '@understudy/kit';
import { afterAll, expect, it } from 'vitest';
import type { RunResult } from '../results/run-result.js';
import { loadReporter, type OwnReporter, ownReporter } from './own-reporter.js';
import { parseReporters } from './reporter-names.js';

const folder = mkdtempSync(join(tmpdir(), 'own-reporter-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function moduleWith(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

it('is known by its path, with what it gets as target', () => {
  expect(parseReporters('list,./mine.mjs=3,lib/x.js')).toEqual([
    { name: 'list' },
    { name: 'own', module: './mine.mjs', file: '3' },
    { name: 'own', module: 'lib/x.js' },
  ]);
});

it('is an object, or what a function gives', async () => {
  const object = moduleWith('object.mjs', 'export default { finish() {} };');
  expect(await loadReporter(object, undefined)).toHaveProperty('finish');
  const made = moduleWith('made.mjs', 'export default async ({ target }) => ({ end() {}, target });');
  expect(await loadReporter(made, '3')).toMatchObject({ target: '3' });
});

it.each([
  ['absent.mjs', undefined, 'PART_UNUSABLE', /there is no file .*absent\.mjs for a reporter/],
  ['syntax.mjs', 'export default {', 'PART_UNUSABLE', /the reporter .*syntax\.mjs cannot be imported/],
  ['throws.mjs', 'throw new Error("no config")', 'PART_UNUSABLE', /cannot be imported: no config/],
  ['nothing.mjs', 'export const x = 1;', 'PART_UNUSABLE', /has no default export/],
  ['number.mjs', 'export default 3;', 'PART_UNUSABLE', /exports no reporter: it has none of start/],
  ['null.mjs', 'export default () => null;', 'PART_UNUSABLE', /exports no reporter/],
  ['maker.mjs', 'export default () => { throw new Error("no token"); };', 'PART_FAILED', /could not be made: no token/],
])('is refused when it cannot be used: %s', async (name, text, code, message) => {
  const file = text === undefined ? join(folder, name) : moduleWith(name, text);
  const error = await loadReporter(file, undefined).catch((one: unknown) => one);
  expect(error).toMatchObject({ code, message: expect.stringMatching(message), location: { file } });
});

/** Passes a short run to a reporter; gives what was wrong with it. */
async function passTo(own: OwnReporter): Promise<UnderstudyError[]> {
  const errors: UnderstudyError[] = [];
  const pending: Promise<void>[] = [];
  const surroundings = { onPending: (work: Promise<void>) => pending.push(work), onError: errors.push.bind(errors) };
  const reporter = ownReporter(own, './mine.mjs', surroundings);
  const entry = { id: 'a', name: 'a', agent: 'claude', stage: 'sim', round: 1 } as const;
  reporter.begin(entry);
  reporter.step(entry, 1, 2, 'greet');
  reporter.finish({} as RunResult);
  await Promise.all(pending);
  return errors;
}

it('receives all in order, with itself as this, also where it takes its time', async () => {
  class Mine {
    readonly seen: string[] = [];
    async begin(): Promise<void> {
      await new Promise(setImmediate);
      this.seen.push('begin');
    }
    step(_: unknown, number: number): void {
      this.seen.push(`step ${number}`);
    }
    finish(): void {
      this.seen.push('finish');
    }
  }
  const mine = new Mine();
  expect(await passTo(mine)).toEqual([]);
  expect(mine.seen).toEqual(['begin', 'step 1', 'finish']);
});

it.each([
  [
    'throws',
    () => {
      throw new Error('full');
    },
  ],
  [
    'rejects',
    async () => {
      throw new Error('full');
    },
  ],
])('%s: is named once, and receives nothing more', async (_, step) => {
  let isFinished = false;
  const errors = await passTo({ step, finish: () => (isFinished = true) });
  expect(errors.map(({ code, message }) => [code, message])).toEqual([
    ['PART_FAILED', 'the reporter ./mine.mjs failed in step(): full'],
  ]);
  expect(isFinished).toBe(false);
});
