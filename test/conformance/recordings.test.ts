import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import versions from '../../packages/agents/src/versions.json' with { type: 'json' };
import { recordable } from './claude-recording.js';
import { Recordings } from './recordings.js';

const FOLDER = new URL('./recorded/', import.meta.url);

it('gives back what was recorded, and asks for a new recording when the case is new or has changed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'codex.json');
  writeFileSync(file, JSON.stringify({ version: versions.codex, parts: {}, cases: {} }));
  const recordings = new Recordings<string>('codex', folder);
  recordings.write('one', { args: ['a'] }, 'said a');
  recordings.write('gone', {}, '');
  recordings.save(['one', 'two']);
  const again = new Recordings<string>('codex', folder);
  expect(again.names).toEqual(['one']);
  expect(again.read('one', { args: ['a'] })).toBe('said a');
  expect(() => again.read('one', { args: ['b'] })).toThrow('"one" has changed since it was recorded: re-record with');
  expect(() => again.read('two', {})).toThrow('"two" has no recording: re-record with');
  writeFileSync(file, readFileSync(file, 'utf8').replace(versions.codex, '0.0.1'));
  expect(() => new Recordings('codex', folder)).toThrow(`is of 0.0.1, not ${versions.codex}: re-record with`);
});

it('records nothing of a CLI that was cut off', () => {
  const observed = {
    stdout: '',
    stderr: '',
    events: [],
    transcripts: [],
    told: [],
    wire: [],
    payloads: [],
    refused: [],
  };
  expect(recordable({ name: 'one', args: [] }, { ...observed, exitCode: 0 })).toMatchObject({ exitCode: 0 });
  expect(() => recordable({ name: 'one', args: [] }, { ...observed, exitCode: null })).toThrow('"one" was cut off');
});

it.each(readdirSync(FOLDER))('%s tells nothing about the machine that it was recorded on', (name) => {
  const text = readFileSync(new URL(name, FOLDER), 'utf8');
  for (const path of [homedir(), tmpdir(), process.cwd()]) expect(text).not.toContain(`${path}/`);
  expect(text.match(/(?<![\w.])\/(root|home|tmp|Users|var|opt|private)\/[^"\\]*/g)).toBeNull();
  expect(
    text.match(
      /https?:\/\/(?!\.\.\.|127\.0\.0\.1|[\w.]+\.test\/|docs\.|code\.claude\.com|opencode\.ai\/config\.json|support\.)[\w.-]+/g,
    ),
  ).toBeNull();
});
