import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch } from '@understudy/kit';
import { afterAll, expect, it } from 'vitest';
import { checkFile } from './check-file.js';

const scratch = createScratch('refuse-module');
afterAll(() => scratch.remove());

it('does not run a module for a client', async () => {
  const file = join(scratch.path, 'a.rehearsal.mjs');
  writeFileSync(file, 'globalThis.process.exit(1); export default {};');
  await expect(checkFile(file)).rejects.toMatchObject({ code: 'MCP_BAD_INPUT', fix: expect.stringContaining('TOML') });
});
