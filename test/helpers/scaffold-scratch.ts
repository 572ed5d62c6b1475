import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { loadRehearsal } from '../../packages/runner/src/rehearsal/load.js';
import { sendStepsOf } from '../../packages/runner/src/rehearsal/schema.js';
import { scaffoldRehearsal } from '../../src/scaffold/scaffold-rehearsal.js';

/** A folder for each test, in which a plugin is put and scaffolded. */
export function scaffoldScratch() {
  let scratch: Scratch;
  beforeEach(() => {
    scratch = createScratch('scaffold');
  });
  afterEach(() => scratch.remove());
  return {
    get path() {
      return scratch.path;
    },
    put(path: string, text: string): void {
      const file = join(scratch.path, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    /** Scaffolds, and loads what was written: it must be without warnings. */
    async scaffold({ start = false } = {}) {
      const scaffolded = await scaffoldRehearsal(scratch.path, { start });
      const { document, warnings } = loadRehearsal(scaffolded.file);
      expect(warnings).toEqual([]);
      return { ...scaffolded, document, sent: sendStepsOf(document), text: readFileSync(scaffolded.file, 'utf8') };
    },
  };
}
