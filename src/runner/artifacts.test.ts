import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../process/scratch.js';
import type { Entry } from '../rehearsal/entry.js';
import { keepArtifacts } from './artifacts.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('artifacts');
  mkdirSync(join(scratch.path, 'from'));
  writeFileSync(join(scratch.path, 'from', 'events.jsonl'), '');
});
afterEach(() => scratch.remove());

function keep(file: string, more: Partial<Entry> = {}): string {
  const rehearsal = {
    file,
    name: 'a',
    document: { steps: [] },
    scenario: { document: {}, warnings: [] },
    warnings: [],
  };
  const entry: Entry = { rehearsal, agent: 'claude@2.1.325', stage: 'sim', round: 1, ...more };
  return keepArtifacts(entry, join(scratch.path, 'from'), join(scratch.path, 'kept'));
}

it('keeps entries of one name apart: by folder, agent, stage and round', () => {
  const folders = [
    keep('x/a.rehearsal.toml'),
    keep('y/a.rehearsal.toml'),
    keep('x/a.rehearsal.toml', { stage: 'scripted' }),
    keep('x/a.rehearsal.toml', { agent: 'codex' }),
    keep('x/a.rehearsal.toml', { round: 2 }),
  ];
  expect(new Set(folders).size).toBe(5);
  expect(folders[0]).toBe(join(scratch.path, 'kept', 'x-a.claude@2.1.325.sim'));
  for (const folder of folders) expect(readdirSync(folder)).toEqual(['events.jsonl']);
});

it('replaces what an earlier run left, and never leaves its folder', () => {
  const folder = keep('../../a.rehearsal.toml');
  expect(folder).toBe(join(scratch.path, 'kept', 'a.claude@2.1.325.sim'));
  writeFileSync(join(folder, 'old'), '');
  keep('../../a.rehearsal.toml');
  expect(existsSync(join(folder, 'old'))).toBe(false);
});
