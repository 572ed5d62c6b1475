// What a person waits for at the command line, beside Node itself: each command started many times in turn.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, timed, UNDERSTUDY } from './helpers.mjs';
import { oneStep } from './rehearsals.mjs';

export const title = 'Short commands';

const ROUNDS = 25;

export async function bench() {
  const cwd = mkdtempSync(join(tmpdir(), 'bench-commands-'));
  try {
    const file = join(cwd, 'one.rehearsal.toml');
    writeFileSync(file, oneStep('one'));
    const commands = [
      { name: 'node -e 0', command: [process.execPath, '-e', '0'] },
      { name: 'understudy --version', command: [process.execPath, UNDERSTUDY, '--version'], target: 45 },
      { name: 'understudy check FILE', command: [process.execPath, UNDERSTUDY, 'check', file], target: 80 },
    ];
    const times = commands.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, { name, command }] of commands.entries()) {
        const { code, seconds } = await timed(command, { cwd });
        if (code !== 0) throw new Error(`${name} ended with ${code}`);
        times[index].push(seconds * 1000);
      }
    }
    const node = median(times[0]);
    return {
      columns: ['command', 'median ms', 'best ms', '× node -e 0'],
      rows: commands.map(({ name }, index) => {
        const middle = median(times[index]);
        return [name, middle, Math.min(...times[index]), middle / node];
      }),
      ratios: commands.flatMap(({ name, target }, index) =>
        target === undefined ? [] : [{ name: `${name}, ms`, value: median(times[index]), target, better: 'lower' }],
      ),
    };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
