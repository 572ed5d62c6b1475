// `npm run soak [-- --times 20 --loops 3]`: is `npm test` green every time, also beside other work? It clones the last
// commit into a folder of its own, so that it can run in the background, installs once, runs `npm test` again and again
// beside busy loops, and prints a row for each run.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { times: { type: 'string', default: '20' }, loops: { type: 'string', default: '3' } },
});
const [times, loops] = [values.times, values.loops].map(Number);
if (!Number.isInteger(times) || times < 1 || !Number.isInteger(loops) || loops < 0) {
  console.error('usage: npm run soak -- [--times N] [--loops N], both whole numbers');
  process.exit(2);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'soak-'));
const clone = join(folder, 'clone');
const busy = [];
let current;
process.on('exit', () => {
  for (const child of busy) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    // The whole group: npm, Vitest and its workers.
    if (current?.pid !== undefined) process.kill(-current.pid, 'SIGTERM');
    process.exit(130);
  });
}

must('git', ['clone', '--quiet', root, clone], folder);
must('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--silent'], clone);
for (let loop = 0; loop < loops; loop++) busy.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));

const rows = [];
for (let run = 1; run <= times; run++) {
  const summary = join(folder, `run-${run}`);
  const started = Date.now();
  const output = await npmTest(summary);
  const seconds = Math.round((Date.now() - started) / 1000);
  const lines = readSummary(summary);
  const red = lines.filter((line) => line.startsWith('failed'));
  rows.push({ seconds, green: output.code === 0 });
  console.log(`${String(run).padStart(3)}  ${output.code === 0 ? 'green' : 'RED  '}  ${seconds} s  ${lines.at(-1)}`);
  for (const line of red) console.log(`     ${line}`);
  if (output.code !== 0) console.log(output.end);
}
const green = rows.filter((row) => row.green).length;
const seconds = rows.map((row) => row.seconds).sort((a, b) => a - b);
console.log(
  `${green} of ${times} green beside ${loops} busy loops; ${seconds[0]} to ${seconds.at(-1)} s, median ${seconds[times >> 1]} s`,
);
process.exitCode = green === times ? 0 : 1;

/** In a group of its own, so that an interruption ends all of it. The end of its output says why it is red. */
function npmTest(summary) {
  const args = ['test', '--silent', '--', '--reporter=default', `--reporter=${join(clone, 'scripts/ci-reporter.mjs')}`];
  const env = { ...process.env, UNDERSTUDY_SUMMARY: summary };
  delete env.CI;
  current = spawn('npm', args, { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let end = '';
  for (const stream of [current.stdout, current.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      end = (end + text).slice(-4000);
    });
  }
  return new Promise((done) => current.on('close', (code) => done({ code, end })));
}

function readSummary(file) {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n');
  } catch {
    return ['no summary'];
  }
}

function must(program, args, cwd) {
  const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) {
    console.error(`${program} ${args.join(' ')} ended with ${status}`);
    process.exit(2);
  }
}
