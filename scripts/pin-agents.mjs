// `node scripts/pin-agents.mjs claude@latest codex@0.166.0` moves the pins of these CLIs: writes down the version, and the
// digests of what npm has for it, for Linux and macOS on x64 and arm64. Without arguments it does so for the versions that
// are pinned. It fetches all these packages (about 2 GB).
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';

const PACKAGES = new URL('../packages/agents/src/pinned-packages.json', import.meta.url);
const VERSIONS = new URL('../packages/agents/src/versions.json', import.meta.url);
const SYSTEMS = ['linux', 'darwin'];
const PROCESSORS = ['x64', 'arm64'];

/** The tool's own code, so that there is one rule of what belongs to a digest. */
async function load(path) {
  const input = new URL(`../packages/${path}`, import.meta.url).pathname;
  const { output } = await build({ input, platform: 'node', write: false, logLevel: 'silent' });
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}

const npm = (folder, ...args) =>
  execFileSync('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
  });

/** Every package that the CLI needs at run time, with the digest from the registry. */
function lockedPackages(folder, name, version) {
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  npm(folder, 'install', '--package-lock-only', '--save-exact', `${name}@${version}`);
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

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const write = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

const { codeFiles, contentDigest, digestFile } = await load('agents/src/store/content.ts');
const work = mkdtempSync(join(tmpdir(), 'understudy-pin-'));
const versions = read(VERSIONS);
const pinned = read(PACKAGES);
const asked = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(pinned);
try {
  for (const [agent, version = versions[agent]] of asked.map((spec) => spec.split('@'))) {
    // What is pinned of an agent begins with its own package.
    const [name] = Object.keys(pinned[agent].packages);
    const folder = join(work, agent);
    mkdirSync(folder);
    const packages = {};
    const locked = lockedPackages(folder, name, version);
    for (const { path, spec, integrity } of locked) {
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
    versions[agent] = locked[0].spec.split('@').at(-1);
    pinned[agent] = { version: versions[agent], packages };
  }
  write(VERSIONS, versions);
  write(PACKAGES, pinned);
} finally {
  rmSync(work, { recursive: true, force: true });
}
