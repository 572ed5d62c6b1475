import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runProgram } from '../helpers/understudy.js';

const root = mkdtempSync(join(tmpdir(), 'understudy-imports-'));
afterAll(() => rmSync(root, { recursive: true }));

function lint(files: Record<string, string>) {
  rmSync(root, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return runProgram([process.execPath, 'scripts/lint-imports.mjs', root]);
}

it('accepts imports that go down', async () => {
  const files = {
    'scenario/a.ts': "import { x } from '../document/x.js';\nimport { y } from './deep/y.js';\nimport z from 'zod';",
    'scenario/deep/y.ts': "import { E } from '../../errors.js';\nexport { x } from '../../document/x.js';",
    'cli/main.ts': "import { a } from '../scenario/a.js';",
  };
  expect(await lint(files)).toMatchObject({ code: 0, stderr: '' });
});

it('refuses imports that go up, however they are written', async () => {
  for (const statement of [
    "import { main } from '../cli/main.js';",
    "import type { Main } from '../cli/main.js';",
    "import {\n  main,\n  other,\n} from '../cli/main.js';",
    "export { main } from '../cli/main.js';",
    "import '../cli/main.js';",
    "const { main } = await import('../cli/main.js');",
    "import { index } from '../index.js';",
  ]) {
    const { code, stderr } = await lint({ 'scenario/a.ts': statement });
    expect(code, statement).toBe(1);
    expect(stderr).toContain('src/scenario/a.ts: scenario may not import');
  }
});

it('asks for a rule for a new folder', async () => {
  expect(await lint({ 'novelty/a.ts': '' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('novelty has no import rule'),
  });
});
