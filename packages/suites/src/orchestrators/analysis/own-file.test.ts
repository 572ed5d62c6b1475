import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isOwnFile } from './own-file.js';

it.each([
  ['ralph.yml', true],
  ['.e2e-tests/hat-single@claude/scenario.json', true],
  ['/w/.e2e-tests/x/notes.txt', true],
  ['PROMPT.md', true],
  ['crates/ralph-core/src/event_loop.rs', false],
  ['src/ralph.yml.ts', false],
  ['the part of the orchestrator that reads ralph.yml', false],
])('knows whether %s is the harness’s own: %s', (file, own) => {
  expect(isOwnFile(file)).toBe(own);
});

it('no rule asks to change a file of the harness', () => {
  const folder = join(import.meta.dirname, '../../ralph/diagnosis');
  const named = readdirSync(folder).flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/(?:file_to_modify|part): ['`"](.*?)['`"],?/g)].map(
      ([, file = '']) => file,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((file) => !file.startsWith('the part of the orchestrator that '))).toEqual([]);
});
