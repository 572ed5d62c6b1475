// `npm run test:native [-- NAME…]`: compiles the stand-ins for every platform, and plays all conformance cases on each
// program that starts on this machine. An emulator may help: with qemu-user-static Linux starts those of other
// processors, with musl those for Alpine. Programs that do not start are named: they were not judged.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NATIVE_PROGRAM, nativePackages } from './native-packages.mjs';

const TESTS = ['claude', 'codex', 'opencode'].map((agent) => `test/conformance/${agent}-stand-in.test.ts`);
const root = fileURLToPath(new URL('..', import.meta.url));
const names = nativePackages.map(({ name }) => basename(name).replace('native-', ''));
const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (names.includes(name)) continue;
  console.error(`there is no platform ${name}; there are ${names.join(', ')}`);
  process.exit(2);
}

const run = (program, args, env = {}) =>
  spawnSync(program, args, { stdio: 'inherit', cwd: root, env: { ...process.env, ...env } }).status ?? 1;

const built = run('npm', ['run', '--silent', 'build']) || run(process.execPath, ['scripts/build-native.mjs', '--all']);
if (built !== 0) process.exit(built);

const results = (wanted.length > 0 ? wanted : names).map((name) => {
  const program = join(root, 'native', `native-${name}`, NATIVE_PROGRAM);
  const problem = startProblem(program);
  if (problem !== undefined) return { name, word: 'not judged', detail: `it does not start here (${problem})` };
  console.log(`\n${name}`);
  const tests = ['vitest', 'run', '--project', 'program', ...TESTS, '-t', 'compiled'];
  const status = run('npx', tests, { UNDERSTUDY_NATIVE: program, UNDERSTUDY_LONG: '1' });
  return { name, word: status === 0 ? 'passed' : 'failed', detail: '' };
});

console.log();
for (const { name, word, detail } of results) console.log(`${name}: ${word}${detail === '' ? '' : `, ${detail}`}`);
const count = (word) => results.filter((result) => result.word === word).length;
console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('not judged')} not judged`);
process.exitCode = count('failed') > 0 || count('passed') === 0 ? 1 : 0;

function startProblem(program) {
  const home = mkdtempSync(join(tmpdir(), 'understudy-native-'));
  try {
    const env = { PATH: process.env.PATH ?? '', HOME: home };
    const { error, status, signal, stderr } = spawnSync(program, ['claude', '--version'], { env, encoding: 'utf8' });
    if (error !== undefined) return error.code ?? error.message;
    if (status === 0) return undefined;
    const [said = ''] = stderr.trim().split('\n');
    // A shell tries to read what the system cannot start.
    if (status === 127 || /[^ -~]/.test(said)) return 'made for another system';
    return said || `it ended with ${signal ?? status}`;
  } finally {
    rmSync(home, { recursive: true });
  }
}
