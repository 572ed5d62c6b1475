import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { memoryBlock } from './inject.js';
import { type Memory, memoryTypes } from './memory.js';
import { parseMemories, withMemory, withoutMemory } from './memory-file.js';
import { MemoryStore, memoryFile, searchMemories } from './store.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'loop-memory-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const memory = (more: Partial<Memory> = {}): Memory => ({
  id: 'mem-1767225600-00aa',
  type: 'pattern',
  content: 'Errors carry codes.',
  tags: ['errors', 'style'],
  created: '2026-01-01',
  ...more,
});

it('writes the file as Ralph does', () => {
  expect(withMemory('', memory())).toBe(
    '# Memories\n\n## Patterns\n\n### mem-1767225600-00aa\n> Errors carry codes.\n<!-- tags: errors, style | created: 2026-01-01 -->\n',
  );
});

it('reads back whatever it wrote', () => {
  const memories = fc.record({
    type: fc.constantFrom(...memoryTypes),
    content: fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.replace(/\s+/g, ' ').trim() || 'x'),
    tags: fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(memories, { maxLength: 8 }), (given) => {
      const all = given.map((entry, index) => memory({ ...entry, id: `mem-1-${String(index).padStart(4, '0')}` }));
      const read = parseMemories(all.reduce(withMemory, ''));
      expect(read.sort((a, b) => a.id.localeCompare(b.id))).toEqual(all);
    }),
  );
});

it('keeps lines of content, headings in it included', () => {
  const content = 'first\n\n## Fixes\n### mem-1-0000';
  expect(parseMemories(withMemory('', memory({ content })))).toEqual([memory({ content })]);
});

it('adds to its own section and leaves everything else as it was', () => {
  const text = '# Memories\n\nA remark.\n\n## Patterns\n\n### torn\n\n## Fixes\n\n### mem-1-0001\n> old\n';
  const added = withMemory(text, memory());
  expect(added.replace(/\n### mem-1767225600-00aa\n[^#]*?-->\n/, '')).toBe(text);
  expect(parseMemories(added).map(({ id, type }) => [id, type])).toEqual([
    ['mem-1767225600-00aa', 'pattern'],
    ['mem-1-0001', 'fix'],
  ]);
});

it('deletes one entry, and tells when there is none', () => {
  const text = [memory(), memory({ id: 'mem-2-bbbb', content: 'other' })].reduce(withMemory, '');
  expect(parseMemories(withoutMemory(text, 'mem-2-bbbb') ?? '')).toEqual([memory()]);
  expect(withoutMemory(text, 'mem-9-9999')).toBeUndefined();
});

it('passes over what is no entry', () => {
  expect(parseMemories('\u0000\u0001 ### mem-1-0001\n> lost\n## Nowhere\n### mem-1-0002\n> no section')).toEqual([]);
  expect(parseMemories('## Fixes\n### mem-1-00zz\n> bad id\n### mem-1-0003\nno content')).toEqual([]);
});

it('injects by section in one order, without empty sections', () => {
  const block = memoryBlock([memory({ type: 'context', id: 'mem-1-0001' }), memory()], 0);
  expect(block.match(/^#+ .*/gm)).toEqual([
    '# Memories',
    '## Patterns',
    '### mem-1767225600-00aa',
    '## Context',
    '### mem-1-0001',
  ]);
  expect(memoryBlock([], 100)).toBe('');
});

it('cuts at an entry’s end when the budget is spent, and says so', () => {
  const many = Array.from({ length: 50 }, (_, index) => memory({ id: `mem-1-${String(index).padStart(4, '0')}` }));
  const block = memoryBlock(many, 100);
  const entries = parseMemories(block);
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.length).toBeLessThan(50);
  expect(block).toContain(`truncated: ${50 - entries.length} of 50 memories left out`);
  expect(block.slice(0, block.indexOf('\n<!-- truncated')).length).toBeLessThanOrEqual(400);
  expect(memoryBlock(many, 100_000)).not.toContain('truncated');
});

it('finds words in content and tags, whatever their case', () => {
  const all = [memory(), memory({ content: 'Use vitest', tags: ['Testing'] })];
  expect(searchMemories(all, 'CODES')).toEqual([all[0]]);
  expect(searchMemories(all, 'testing')).toEqual([all[1]]);
  expect(searchMemories(all, 'nothing')).toEqual([]);
});

it('keeps memories where they are: configured, earlier, or Ralph’s place', () => {
  expect(memoryFile(root)).toBe(join(root, '.ralph/agent/memories.md'));
  mkdirSync(join(root, '.agent'));
  writeFileSync(join(root, '.agent/memories.md'), '');
  expect(memoryFile(root)).toBe(join(root, '.agent/memories.md'));
  expect(memoryFile(root, 'mine.md')).toBe(join(root, 'mine.md'));
});

it('gives every memory an id of its own, however fast they come', () => {
  const store = new MemoryStore(join(root, 'memories.md'));
  const day = new Date('2026-01-01T00:00:00Z');
  const ids = Array.from({ length: 200 }, (_, index) => store.add(`number ${index}`, 'fix', [], day).id);
  expect(new Set(ids).size).toBe(200);
  expect(store.all()).toHaveLength(200);
});

it('refuses an empty memory, and a delete of nothing changes nothing', () => {
  const store = new MemoryStore(join(root, 'memories.md'));
  store.add('kept', 'fix');
  const before = readFileSync(store.file, 'utf8');
  expect(() => store.add('  ', 'fix')).toThrow('needs content');
  expect(store.delete('mem-0-0000')).toBe(false);
  expect(readFileSync(store.file, 'utf8')).toBe(before);
});
