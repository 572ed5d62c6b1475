// `node scripts/complete-lock.mjs` after a change of dependencies: npm leaves optional packages of other platforms
// out of the lock file when the registry at hand does not have them, and then refuses `npm ci`. This adds them by
// name, so that the lock file is the same whole one on every machine, and asks the registry for the integrity of each
// entry that has none. What the registry does not have is listed at the end: test/house/supply-chain.test.ts names them.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'openbsd', 'netbsd', 'sunos', 'aix', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32'];

const packages = () => Object.entries(lock.packages).filter(([path]) => path.includes('node_modules/'));

for (const [path, entry] of packages()) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    // Two versions of a package have two sets of them: the second stands below its own.
    const exact = version.replace(/^[\^~]/, '');
    const places = [`node_modules/${name}`, `${path}/node_modules/${name}`];
    if (places.some((place) => lock.packages[place]?.version === exact)) continue;
    const place = lock.packages[places[0]] === undefined ? places[0] : places[1];
    const words = name.split(/[/-]/);
    const os = words.find((word) => SYSTEMS.includes(word));
    const cpu = words.find((word) => PROCESSORS.includes(word));
    // Some are optional for another reason than the platform: npm has locked those.
    if (os === undefined && cpu === undefined && places.some((place) => lock.packages[place] !== undefined)) continue;
    if (os === undefined && cpu === undefined) throw new Error(`which platform is ${name} for?`);
    lock.packages[place] = {
      version: exact,
      ...(cpu === undefined ? {} : { cpu: [cpu] }),
      ...(entry.dev === true ? { dev: true } : {}),
      ...(words.includes('musl') ? { libc: ['musl'] } : words.includes('gnu') ? { libc: ['glibc'] } : {}),
      optional: true,
      ...(os === undefined ? {} : { os: [os] }),
    };
  }
}
for (const [path, entry] of packages()) {
  if (entry.link === true || entry.integrity !== undefined) continue;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const integrity = integrityOf(`${name}@${entry.version}`);
  if (integrity === undefined) console.error(`no integrity: ${name}@${entry.version} is not in this registry`);
  else entry.integrity = integrity;
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);

function integrityOf(spec) {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'];
    return execFileSync('npm', ['view', spec, 'dist.integrity'], { encoding: 'utf8', stdio }).trim() || undefined;
  } catch {
    return undefined;
  }
}
