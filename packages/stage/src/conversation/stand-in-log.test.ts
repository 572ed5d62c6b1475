import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StandInLog } from './stand-in-log.js';

let scratch: Scratch;
let file: string;
beforeEach(() => {
  scratch = createScratch('log');
  file = join(scratch.path, 'log.jsonl');
});
afterEach(() => scratch.remove());

const document = {
  responses: [
    { pattern: { type: 'contains' as const, text: 'one' }, response: '1' },
    {
      pattern: { type: 'contains' as const, text: 'two' },
      response: '2',
      turns: [{ expect: { type: 'any' as const }, response: 'more' }],
    },
  ],
};

function write(...lines: object[]): void {
  appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
const used = (...matched: string[]) => ({ matched, outcome: 'success', result: '' });

it('counts rules and turns, and keeps what nothing answered', () => {
  const log = new StandInLog(file);
  write(used('responses[1]'), used('responses[1].turns[0]', 'responses[0].then'));
  const unmatched = [{ message: 'no rule for "four"', fix: 'Add a rule.' }];
  write({ ...used(), outcome: 'unanswered', unanswered: unmatched });
  expect(log.usage(document)).toEqual({ unused: [], unmatched });
});

it('counts nothing of a log that was never written, nor of what others wrote before', () => {
  expect(new StandInLog(file).usage(document).unused).toHaveLength(2);
  write(used('responses[0]'));
  expect(new StandInLog(file).usage(document).unused).toHaveLength(2);
});

it('leaves out lines that are damaged', () => {
  const log = new StandInLog(file);
  writeFileSync(file, `{"matched":"x"}\nnull\n${JSON.stringify(used('responses[0]'))}\n{"matched":["respo`);
  expect(log.usage(document).unused).toMatchObject([{ rulePath: 'responses[1]' }]);
});

it('leaves a copy without secrets, and still knows all when the log is gone', async () => {
  const log = new StandInLog(file);
  write({ ...used('responses[0]'), told: [{ system: [], messages: ['my key is sk-ant-api03-abcdefghijklmnop'] }] });
  const copy = join(scratch.path, 'copy.jsonl');
  log.keep(copy);
  rmSync(file);
  expect(readFileSync(copy, 'utf8')).toContain('my key is [secret]');
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(log.usage(document).unused).not.toContain('responses[0]');
  expect(log.told(1)).toMatchObject({ requests: [{ messages: [expect.stringContaining('sk-ant')] }] });
});

it('reads on where it ended, and a line when it is whole', () => {
  const log = new StandInLog(file);
  write({ ...used('responses[0]'), pid: 1 });
  appendFileSync(file, '{"pid":1,"matched":["respo');
  expect(log.entriesOf(1)).toHaveLength(1);
  appendFileSync(file, 'nses[1]"]}\n');
  expect(log.entriesOf(1).map(({ matched }) => matched)).toEqual([['responses[0]'], ['responses[1]']]);
});

it('does not wait for a FIFO, and says what it was', () => {
  const log = new StandInLog(file);
  write(used('responses[0]'));
  expect(log.usage(document).unused).toHaveLength(1);
  rmSync(file);
  execFileSync('mkfifo', [file]);
  expect(log.usage(document).unused).toHaveLength(1);
  expect(log.unreadable).toEqual([{ path: basename(file), reason: 'is a FIFO' }]);
});

it('writes its copy through no link', () => {
  const log = new StandInLog(file);
  write(used('responses[0]'));
  writeFileSync(join(scratch.path, 'mine'), 'mine');
  symlinkSync(join(scratch.path, 'mine'), join(scratch.path, 'planted.jsonl'));
  log.keep(join(scratch.path, 'planted.jsonl'));
  expect(readFileSync(join(scratch.path, 'mine'), 'utf8')).toBe('mine');
  expect(readFileSync(join(scratch.path, 'planted.jsonl'), 'utf8')).toContain('responses[0]');
});
