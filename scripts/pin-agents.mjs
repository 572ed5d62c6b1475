// `node scripts/pin-agents.mjs` after a change of a version in src/agents/pinned.ts: writes down the digests of what
// npm has for each pinned CLI, for Linux and macOS on x64 and arm64. It fetches all these packages (about 2 GB).
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';

const FILE = new URL('../src/agents/pinned-packages.json', import.meta.url);
const SYSTEMS = ['linux', 'darwin'];
const PROCESSORS = ['x64', 'arm64'];

/** The tool's own code, so that there is one rule of what belongs to a digest. */
async function load(path) {
  const input = new URL(`../src/${path}`, import.meta.url).pathname;
  const { output } = await build({ input, platform: 'node', write: false, logLevel: 'silent' });
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}

const npm = (folder, ...args) =>
  execFileSync('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
  });

/** Every package that the CLI needs at run time, with the digest that the registry tells. */
function lockedPackages(folder, name, version) {
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  npm(folder, 'install', '--package-lock-only', '--save-exact', '--prefix', folder, `${name}@${version}`);
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const { dependencies, optionalDependencies } = packages[`node_modules/${name}`];
  return [name, ...Object.keys({ ...dependencies, ...optionalDependencies })].flatMap((wanted) => {
    const entry = packages[`node_modules/${wanted}`];
    if (entry === undefined) {
      if (SYSTEMS.some((system) => wanted.includes(system)))
        console.warn(`${wanted}: not in this registry, not pinned`);
      return [];
    }
    const fits = (list, ours) => list === undefined || ours.some((one) => list.includes(one));
    if (!fits(entry.os, SYSTEMS) || !fits(entry.cpu, PROCESSORS)) return [];
    return [{ path: wanted, spec: `${entry.name ?? wanted}@${entry.version}`, integrity: entry.integrity }];
  });
}

const { distributions } = await load('agents/pinned.ts');
const { codeFiles, contentDigest, digestFile } = await load('agents/store/content.ts');
const work = mkdtempSync(join(tmpdir(), 'understudy-pin-'));
const pinned = {};
try {
  for (const [agent, { npm: distribution }] of Object.entries(distributions)) {
    if (distribution === undefined) continue;
    const folder = join(work, agent);
    mkdirSync(folder);
    const packages = {};
    for (const { path, spec, integrity } of lockedPackages(folder, distribution.package, distribution.pinned)) {
      const [packed] = JSON.parse(npm(folder, 'pack', spec, '--json'));
      if (packed.integrity !== integrity) throw new Error(`${spec}: npm fetched ${packed.integrity}, not ${integrity}`);
      const unpacked = join(folder, 'unpacked');
      mkdirSync(unpacked);
      execFileSync('tar', ['-xzf', packed.filename, '-C', unpacked, '--strip-components=1'], { cwd: folder });
      const files = {};
      for (const file of codeFiles(unpacked)) files[file] = await digestFile(join(unpacked, file));
      packages[path] = { integrity, content: contentDigest(files) };
      rmSync(unpacked, { recursive: true });
      rmSync(join(folder, packed.filename));
      console.log(`${agent}: ${spec}`);
    }
    pinned[agent] = { version: distribution.pinned, packages };
  }
  writeFileSync(FILE, `${JSON.stringify(pinned, null, 2)}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
