// `npm run test:long [FILTER…]`: builds, runs the long attack and what else takes long, and writes docs/reliability.md.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ALL = ['test/long', 'fuzz', 'hostile-text', 'conformance/', 'test/faults/', 'suite'];
const filters = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'understudy-tally-'));
const tally = join(folder, 'tally.jsonl');

const run = (program, args, env = {}) =>
  spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;

// The compiled stand-ins are those of this build: the tests ignore older ones.
let status = run('npm', ['run', '--silent', 'build']) || run('npm', ['run', '--silent', 'build:native']);
if (status === 0) {
  const tests = ['vitest', 'run', '--project', 'program', ...(filters.length === 0 ? ALL : filters)];
  status = run('npx', tests, { UNDERSTUDY_LONG: '1', UNDERSTUDY_TALLY: tally });
  if (existsSync(tally)) run(process.execPath, ['scripts/write-reliability.mjs', tally]);
}
rmSync(folder, { recursive: true });
process.exit(status);
