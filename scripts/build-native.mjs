// Compiles the stand-ins and the loop into one program without Node: `npm run build:native`, after `npm run build`.
// It uses the bun of npm, which is fetched into a cache folder and is no dependency of the package. With bytecode the
// program does not parse itself at every start.
//
//   node scripts/build-native.mjs           dist/native, for this machine: our own commands use it from there
//   node scripts/build-native.mjs --all     native/NAME for every platform, each a package of npm ready to publish
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NATIVE_PROGRAM, nativePackages, packageFor } from './native-packages.mjs';

const BUN = '1.4.4';
// Gemini's stand-in is not among them: Gemini CLI runs on Node, and reports errors in the words of Node's engine.
const PROGRAMS = ['claude', 'opencode', 'kiro', 'codex', 'loop'];
const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'understudy', 'bun', BUN);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

for (const name of PROGRAMS) {
  if (!existsSync(bundle(name))) fail(`${bundle(name)} is not there: build it first with npm run build.`);
}
const here = packageFor(process) ?? fail(`there is no bun for ${process.platform}-${process.arch}.`);
const bun = fetchBun(here);
const entry = join(root, 'dist/native/entry.cjs');
mkdirSync(dirname(entry), { recursive: true });
writeFileSync(entry, entryText());

if (process.argv.includes('--all')) {
  for (const target of nativePackages) {
    const folder = join(root, 'native', target.name.replace(/^.*\//, ''));
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    compile(target, join(folder, NATIVE_PROGRAM));
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(target), null, 2)}\n`);
  }
} else {
  const program = compile(here, join(root, 'dist/native', NATIVE_PROGRAM));
  const said = execFileSync(program, ['claude', '--version'], { encoding: 'utf8' }).trim();
  console.log(`${program} answers: ${said}`);
}
rmSync(entry);

function bundle(name) {
  return join(root, `dist/bin/understudy-${name}.cjs`);
}

/** The first argument names the program that it is to be. */
function entryText() {
  const packages = [
    ['./yaml.cjs', '../bin/yaml.cjs'],
    ...['re2js', 'toml-eslint-parser', '@modelcontextprotocol/client/validators/ajv'].map((name) => [name, name]),
  ];
  const lazy = (pairs) =>
    pairs.map(([name, path]) => `${JSON.stringify(name)}: () => require(${JSON.stringify(path)})`);
  const programs = PROGRAMS.map((name) => [name, `../bin/${basename(bundle(name))}`]);
  return `globalThis[Symbol.for('understudy.packages')] = { ${lazy(packages).join(', ')} };
const programs = { ${lazy(programs).join(', ')} };
// The program and its name: with both, it can start itself again.
const name = process.argv[2];
process.argv.splice(1, 2, name);
const start = Object.hasOwn(programs, name ?? '') ? programs[name] : undefined;
if (start === undefined) {
  process.stderr.write('usage: ${NATIVE_PROGRAM} ${PROGRAMS.join('|')} [arguments]\\n');
  process.exit(2);
}
start();
`;
}

function compile(target, program) {
  const from = target.name === here.name ? bun : fetchBun(target);
  const flags = [
    ...['--compile', '--minify', '--bytecode', '--format=cjs', `--compile-executable-path=${from}`],
    // What a project has for its own programs is not for ours: variables, and code that runs first.
    ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
    // It ends before optimized code would pay: a fifth less processor time for a start and an answer.
    '--compile-jit-policy=10',
  ];
  execFileSync(bun, ['build', ...flags, `--target=${target.target}`, entry, '--outfile', program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    cwd: root,
  });
  const digest = createHash('sha256').update(readFileSync(program)).digest('hex');
  console.log(`${target.name} ${digest}`);
  return program;
}

function manifest({ name, os, cpu, libc }) {
  return {
    name,
    version,
    description: `The stand-ins of agent-understudy, compiled for ${name.replace(/^.*native-/, '')}.`,
    license: 'MIT',
    os: [os],
    cpu: [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
    files: [NATIVE_PROGRAM],
    preferUnplugged: true,
  };
}

/** The bun of a platform, from npm when it is not in the cache yet. */
function fetchBun({ bun: name }) {
  const folder = join(cache, name);
  const program = join(folder, 'package', 'bin', 'bun');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const packed = execFileSync('npm', ['pack', `@oven/${name}@${BUN}`, '--silent'], { cwd: folder, encoding: 'utf8' });
  execFileSync('tar', ['-xzf', packed.trim()], { cwd: folder });
  rmSync(join(folder, packed.trim()));
  utimesSync(program, new Date(), new Date());
  return program;
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
