// Compiles the claude stand-in into one program: `npm run build:native`. It uses the bun of npm,
// which is fetched into a cache folder and is no dependency of the package. What bun gives is
// dist/native/understudy-claude, for this platform only. With bytecode it does not parse itself at every start.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUN = '1.4.4';
const root = fileURLToPath(new URL('..', import.meta.url));
const bundle = join(root, 'dist/bin/understudy-claude.cjs');
const target = join(root, 'dist/native/understudy-claude');

if (!existsSync(bundle)) {
  console.error(`${bundle} is not there: build it first with npm run build.`);
  process.exit(2);
}
const bun = fetchBun();
mkdirSync(join(root, 'dist/native'), { recursive: true });
execFileSync(bun, ['build', '--compile', '--minify', '--bytecode', bundle, '--outfile', target], {
  stdio: 'inherit',
  cwd: root,
});
const version = execFileSync(target, ['--version'], { encoding: 'utf8' }).trim();
console.log(`${target} answers: ${version}`);

/** The bun binary, from npm when it is not in the cache yet. */
function fetchBun() {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'understudy', 'bun', BUN);
  const binary = () => {
    const scope = join(cache, 'node_modules', '@oven');
    const list = existsSync(join(cache, 'node_modules')) ? platformPackages() : [];
    return list.map((name) => join(scope, name, 'bin', 'bun')).find((file) => existsSync(file));
  };
  const found = binary();
  if (found !== undefined) return found;
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), JSON.stringify({ private: true, dependencies: { bun: BUN } }));
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], {
    cwd: cache,
    stdio: 'inherit',
  });
  const installed = binary();
  if (installed !== undefined) return installed;
  console.error(`npm has no bun ${BUN} for ${process.platform}-${process.arch}.`);
  process.exit(2);
}

function platformPackages() {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const cpu = process.arch === 'arm64' ? 'aarch64' : process.arch;
  const musl = os === 'linux' && existsSync('/etc/alpine-release') ? '-musl' : '';
  // The baseline build runs on processors without AVX2.
  const avx2 = os !== 'linux' || cpu !== 'x64' || readFileSync('/proc/cpuinfo', 'utf8').includes('avx2');
  const base = `bun-${os}-${cpu}${musl}`;
  return avx2 ? [base, `${base}-baseline`] : [`${base}-baseline`];
}
