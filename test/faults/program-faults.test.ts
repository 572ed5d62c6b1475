import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { checksOf } from '../../packages/verdict/src/results/entry-result.js';
import { runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { realAgent } from '../helpers/real-agents.js';
import { partInCi, seedOr } from '../helpers/seeded.js';
import { runUnderstudy } from '../helpers/understudy.js';
import { type ProgramFault, programFaults } from './program-faults.js';

/** Copies of the programs, each with one fault in it, in one run. Gives the failed checks by the fault. */
async function play(faults: readonly ProgramFault[], stage: string): Promise<Map<ProgramFault, string[]>> {
  const scratch = createScratch('program-faults');
  try {
    symlinkSync(resolve('node_modules'), join(scratch.path, 'node_modules'));
    const files = faults.map((fault, index) => {
      const folder = join(scratch.path, String(index));
      cpSync(join('examples/programs', dirname(fault.in)), folder, { recursive: true });
      const program = join(folder, fault.file);
      const [from, to] = fault.change;
      const text = readFileSync(program, 'utf8');
      if (!text.includes(from)) throw new Error(`${fault.file} does not hold ${from}`);
      writeFileSync(
        program,
        text.replace(from, () => to),
      );
      return join(folder, `${fault.in.split('/')[1]}.rehearsal.toml`);
    });
    const { stdout, stderr } = await runUnderstudy(['run', ...files, '--stage', stage, '--json'], {
      cwd: scratch.path,
    });
    if (stdout === '') throw new Error(stderr);
    const { entries } = runResultSchema.parse(JSON.parse(stdout));
    return new Map(
      faults.map((fault, index) => {
        const entry = entries.find(({ file }) => file === files[index]);
        const failed = entry === undefined ? [] : checksOf(entry).filter(({ status }) => status === 'failed');
        return [fault, failed.map(({ name, expected, actual }) => `${name}: ${expected}: ${actual}`)];
      }),
    );
  } finally {
    await scratch.remove();
  }
}

function expectFound(seen: Map<ProgramFault, string[]>): void {
  const missed = [...seen].flatMap(([{ what, found }, failed]) => {
    const isIt = (check: string) => (typeof found === 'string' ? check.startsWith(`${found}:`) : found.test(check));
    return failed.some(isIt) ? [] : [{ what, found: String(found), failed }];
  });
  expect(missed).toEqual([]);
}

it(`finds every fault in a program by the right check${process.env['CI'] === 'true' ? ', a third of them' : ''}`, async () => {
  expectFound(await play(partInCi(programFaults, 3, seedOr(1)), 'sim'));
});

it('finds some of them with the real CLIs, too', async (context) => {
  await realAgent('claude', context);
  await realAgent('opencode', context);
  expectFound(
    await play(
      programFaults.filter(({ scripted }) => scripted === true),
      'scripted',
    ),
  );
});
