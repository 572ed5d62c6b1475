// Many small rehearsals: what the runner itself costs, in time and in memory.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, timed, UNDERSTUDY } from './helpers.mjs';

export const title = 'Many one-step rehearsals on the stand-in';

const COUNT = 400;
/** As many as that take minutes: `UNDERSTUDY_BENCH_MANY=10000 npm run bench rehearsals`. */
const MANY = Number(process.env['UNDERSTUDY_BENCH_MANY'] ?? 0);

/** A rehearsal that says one thing and gets one answer. */
export function oneStep(name) {
  return `name = "${name}"

[[responses]]
pattern = { type = "any" }
response = "Hello."

[[steps]]
send = "hi"
[steps.expect]
says = "Hello"
`;
}

export async function bench() {
  const rows = [];
  const ratios = [];
  // The goal is older than sandboxes: what they cost is told apart.
  for (const isolation of ['none', 'auto']) {
    const few = await play(COUNT, isolation);
    rows.push(few.row);
    ratios.push({
      name: `${COUNT} rehearsals, --isolation ${isolation}, seconds`,
      ...{ value: few.seconds, target: 9, better: 'lower' },
    });
  }
  if (MANY > 0) {
    const many = await play(MANY, 'auto');
    rows.push(many.row);
    const tenth = Math.ceil(many.memory.length / 10);
    const grown = median(many.memory.slice(-tenth)) / median(many.memory.slice(tenth, 2 * tenth));
    ratios.push(
      { name: `memory of ${MANY} rehearsals, MB`, value: Math.max(...many.memory), target: 200, better: 'lower' },
      { name: 'memory in the last tenth, of that in the second', value: grown, target: 1.2, better: 'lower' },
    );
  }
  return {
    columns: [
      'rehearsals',
      'isolation',
      'seconds',
      'ms each',
      'runner (cpu ms each)',
      'most memory (MB)',
      'load before',
    ],
    rows,
    ratios,
  };
}

async function play(count, isolation) {
  const cwd = mkdtempSync(join(tmpdir(), 'bench-rehearsals-'));
  try {
    for (let number = 1; number <= count; number++) {
      writeFileSync(join(cwd, `r${number}.rehearsal.toml`), oneStep(`r${number}`));
    }
    const [load] = loadavg();
    const command = [process.execPath, UNDERSTUDY, 'run', '.', '--stage', 'sim', '--quiet', '--isolation', isolation];
    const { code, output, seconds, memory, processor } = await timed(command, { cwd, watchMemory: true });
    if (code !== 0) throw new Error(`it ended with ${code}: ${output.slice(-500)}`);
    const each = (time) => (time / count) * 1000;
    return {
      seconds,
      memory,
      row: [count, isolation, seconds, each(seconds), each(processor?.own ?? 0), Math.max(...memory), load],
    };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
