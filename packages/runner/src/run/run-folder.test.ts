import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { oneOfEach, rehearsalRun } from '../../../../test/helpers/sample-runs.js';
import { latestRun, RunFolder, readRun, storedRuns } from './run-folder.js';

const run = rehearsalRun(oneOfEach());

function newFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'runs-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** An old run with a number of its own. */
function store(root: string, duration_ms: number): void {
  const named = join(root, 'runs', `2000-01-0${duration_ms}`);
  mkdirSync(named, { recursive: true });
  writeFileSync(join(named, 'result.json'), JSON.stringify({ ...run, duration_ms }));
}

it('keeps result and logs, without the bodies of requests, and reads them again', async () => {
  const root = join(newFolder(), '.understudy');
  const from = newFolder();
  writeFileSync(join(from, 'events.jsonl'), '{}\n');
  writeFileSync(join(from, 'requests.jsonl'), '{"number":1,"body":"long","headers":{}}\nhalf');
  const folder = RunFolder.create(undefined, root);
  expect(existsSync(root)).toBe(false);
  expect(folder.keepLogs(from, 'a', true)).toBe(join('logs', 'a'));
  expect(folder.keepLogs(newFolder(), 'b', true)).toBeUndefined();
  expect(readFileSync(join(folder.path, 'logs/a/requests.jsonl'), 'utf8')).toBe('{"number":1}\n');
  await folder.store(run);
  expect(latestRun(0, root)).toEqual({ run, folder: folder.path });
  expect(readRun(join(folder.path, 'result.json')).run).toEqual(run);
});

it('moves logs that nobody else needs, but no link that an agent put there', () => {
  const root = join(newFolder(), '.understudy');
  const from = newFolder();
  writeFileSync(join(from, 'elsewhere'), 'text');
  writeFileSync(join(from, 'events.jsonl'), '{}\n');
  symlinkSync(join(from, 'elsewhere'), join(from, 'project.json'));
  const folder = RunFolder.create(undefined, root);
  folder.keepLogs(from, 'a', false);
  expect(existsSync(join(from, 'events.jsonl'))).toBe(false);
  expect(readFileSync(join(folder.path, 'logs/a/events.jsonl'), 'utf8')).toBe('{}\n');
  expect(readdirSync(join(folder.path, 'logs/a'))).toEqual(['events.jsonl']);
});

it('keeps the last five runs', async () => {
  const root = join(newFolder(), '.understudy');
  for (const number of [1, 2, 3, 4, 5, 6]) store(root, number);
  const folder = RunFolder.create(undefined, root);
  await folder.store(run);
  await folder.store(run);
  expect(storedRuns(root)).toHaveLength(5);
  expect(latestRun(0, root).run.duration_ms).toBe(run.duration_ms);
  expect(() => latestRun(5, root)).toThrow('there are not 6 runs');
});

it('removes older runs while a new one is played, and none of them for one that keeps nothing', async () => {
  const root = join(newFolder(), '.understudy');
  for (const number of [1, 2, 3, 4, 5]) store(root, number);
  const folder = RunFolder.create(undefined, root);
  expect(storedRuns(root)).toHaveLength(5);
  folder.prepare();
  await expect.poll(() => storedRuns(root).map((path) => path.at(-1))).toEqual(['5', '4', '3', '2']);
});

it('keeps five runs beside one that is stored elsewhere', async () => {
  const root = join(newFolder(), '.understudy');
  for (const number of [1, 2, 3, 4, 5, 6]) store(root, number);
  await RunFolder.create(newFolder(), root).store(run);
  expect(storedRuns(root)).toHaveLength(5);
});

it('leaves nothing of half a run, and everything of others', () => {
  const root = join(newFolder(), '.understudy');
  const from = newFolder();
  writeFileSync(join(from, 'events.jsonl'), '');
  const folder = RunFolder.create(undefined, root);
  folder.keepLogs(from, 'a', true);
  folder.discard();
  expect(existsSync(root)).toBe(false);
  store(root, 1);
  folder.keepLogs(from, 'a', true);
  folder.discard();
  expect(storedRuns(root)).toHaveLength(1);
});

it('replaces the logs of an earlier run in a folder of the user, and nothing else', async () => {
  const output = newFolder();
  writeFileSync(join(output, 'mine.txt'), '');
  const from = newFolder();
  writeFileSync(join(from, 'events.jsonl'), '');
  const first = RunFolder.create(output);
  first.keepLogs(from, 'old', true);
  await first.store(run);
  RunFolder.create(output).keepLogs(from, 'new', true);
  expect(readdirSync(output).sort()).toEqual(['logs', 'mine.txt', 'result.json']);
  expect(readdirSync(join(output, 'logs'))).toEqual(['new']);
});

it('writes through no link, and says what it cannot read', async () => {
  const root = join(newFolder(), '.understudy');
  symlinkSync(newFolder(), root);
  await expect(RunFolder.create(undefined, root).store(run)).rejects.toThrow('is a link');
  expect(() => readRun(newFolder())).toThrow('is no result of a run');
  const other = join(newFolder(), 'result.json');
  writeFileSync(other, JSON.stringify({ ...run, verdict: 3 }));
  expect(() => readRun(other)).toThrow('verdict: Invalid input: expected string, received number');
  expect(() => latestRun(0, newFolder())).toThrow('there is no run');
});
