import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UntrustedFolder } from '@understudy/kit';
import { afterAll, expect, it } from 'vitest';
import { TranscriptReader, transcriptTurns } from './transcript-reader.js';

const home = mkdtempSync(join(tmpdir(), 'understudy-transcripts-'));
const projects = join(home, '.claude/projects');
const files = new UntrustedFolder(home);
afterAll(() => rmSync(home, { recursive: true, force: true }));
mkdirSync(join(projects, '-work'), { recursive: true });
const file = join(projects, '-work', 'a.jsonl');
const about = { cwd: '/work', timestamp: '2026-11-15T10:00:00.000Z' };
const write = (...lines: object[]) => {
  for (const line of lines) appendFileSync(file, `${JSON.stringify({ ...about, ...line })}\n`);
};
const user = (content: unknown, more = {}) => ({ type: 'user', message: { role: 'user', content }, ...more });
const assistant = (...content: object[]) => ({ type: 'assistant', message: { model: 'm', content } });
const call = { type: 'tool_use', id: 't1', name: 'Write', input: { file_path: 'a' } };
const result = (is_error = false) => ({ type: 'tool_result', tool_use_id: 't1', content: 'no', is_error });

it('tells what is new, a tool when it has ended, and a half line later', () => {
  const reader = new TranscriptReader(files, 'scripted');
  expect(new TranscriptReader(new UntrustedFolder(join(home, 'nothing')), 'scripted').read()).toEqual([]);
  write({ type: 'mode' }, user('write it'), assistant({ type: 'text', text: 'I will.' }, call));
  expect(reader.read()).toEqual([{ type: 'text', text: 'I will.' }]);
  write(user([result(true)], { permissionDecision: { decision: 'reject', source: 'user' } }));
  appendFileSync(file, JSON.stringify(assistant({ type: 'text', text: 'Done.' })).slice(0, 20));
  expect(reader.read()).toMatchObject([
    { type: 'tool_call', tool: 'Write', input: { file_path: 'a' } },
    { type: 'tool_result', tool: 'Write', status: 'denied' },
  ]);
  appendFileSync(file, `${JSON.stringify(assistant({ type: 'text', text: 'Done.' })).slice(20)}\n`);
  expect(reader.read()).toEqual([{ type: 'text', text: 'Done.' }]);
});

it('has the turns of a session, with what happened in each', () => {
  write(
    user('the caveat', { isMeta: true }),
    user([{ type: 'text', text: 'again' }]),
    assistant({ type: 'text', text: 'Yes.' }),
  );
  const turns = transcriptTurns(files);
  expect(turns.map(({ prompt, cwd, at }) => ({ prompt, cwd, at }))).toEqual(
    ['write it', 'again'].map((prompt) => ({ prompt, cwd: '/work', at: Date.parse(about.timestamp) })),
  );
  expect(turns.flatMap((turn) => turn.events('live').map(({ type }) => type))).toEqual([
    ...['text', 'tool_call', 'tool_result', 'text'],
    'text',
  ]);
});
