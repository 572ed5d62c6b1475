import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, expect, it, vi } from 'vitest';
import { EventLog, readEventLog } from './event-log.js';

const scratches: Scratch[] = [];

afterEach(async () => {
  for (const made of scratches.splice(0)) await made.remove();
});

function file(): string {
  const made = createScratch('log');
  scratches.push(made);
  return join(made.path, 'deep', 'events.jsonl');
}

it('gives back what was written, with numbers, times and turns', () => {
  const path = file();
  const log = new EventLog({ file: path, now: () => new Date(0) });
  log.append({ type: 'notice', level: 'info', text: 'start' });
  log.append({ type: 'prompt', id: '1', text: 'Grüße 🙂\nzwei' });
  log.append({ type: 'turn_ended', outcome: 'completed', milliseconds: 1 });
  log.close();
  expect(readEventLog(path)).toEqual(log.events);
  expect(log.events.map(({ seq, turn }) => [seq, turn])).toEqual([
    [0, 0],
    [1, 1],
    [2, 1],
  ]);
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4);
});

it('keeps the start and the end of a session apart from its turns', () => {
  const log = new EventLog();
  const hook = (name: string) => ({ type: 'hook_started', id: name, name, event: 'SessionStart' }) as const;
  const turn = (end: boolean) => {
    log.append({ type: 'prompt', id: '1', text: 'hi' });
    if (end) log.append({ type: 'turn_ended', outcome: 'completed', milliseconds: 1 });
  };
  const last = () => log.events.at(-1)?.turn;
  turn(false);
  // Claude Code 2.1.197 tells of the start with the first prompt.
  log.append(hook('SessionStart:startup'));
  expect(last()).toBe(0);
  log.append(hook('SessionStart:clear'));
  expect(last()).toBe(1);
  // A turn under way ends first.
  log.beginEnd();
  log.append({ type: 'process_ended', code: 0, signal: null, unexpected: false });
  log.append({ type: 'turn_ended', outcome: 'died', milliseconds: 1 });
  expect(last()).toBe(1);
  log.append({ type: 'session_ended', reason: 'test' });
  expect(last()).toBe(2);
});

it('leaves out a last line that was cut off, and refuses any other damage', () => {
  const path = file();
  const log = new EventLog({ file: path });
  log.append({ type: 'interrupt' });
  log.close();
  appendFileSync(path, '{"seq":1,"at":"20');
  expect(readEventLog(path)).toHaveLength(1);
  writeFileSync(path, `{"seq":0}\n${readFileSync(path, 'utf8')}`);
  expect(() => readEventLog(path)).toThrow(
    expect.objectContaining({
      code: 'LOG_DAMAGED',
      location: expect.objectContaining({ line: 1 }),
      message: expect.stringContaining('at: Invalid input: expected string, received undefined'),
    }),
  );
});

it.each([
  ['are in memory for the checks', false, 'opensesame-opensesame sk-ant-api03-abcdefghijkl'],
  ['are nowhere, where they can be real ones', true, '[secret] [secret]'],
])('writes no secret, and secrets %s', (_, live, seen) => {
  vi.stubEnv('MY_TOKEN', 'opensesame-opensesame');
  const path = file();
  const log = new EventLog({ file: path, live });
  vi.unstubAllEnvs();
  const text = 'opensesame-opensesame sk-ant-api03-abcdefghijkl';
  const event = log.append({ type: 'tool_result', id: '1', tool: 'Bash', status: 'ok', text });
  log.append({ type: 'unknown', kind: 'news', data: { deep: [{ text }] } });
  log.close();
  expect(event).toMatchObject({ text: seen });
  expect(readEventLog(path)).toMatchObject([
    { text: '[secret] [secret]' },
    { data: { deep: [{ text: '[secret] [secret]' }] } },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
