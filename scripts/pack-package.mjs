// Packs what is published: `node scripts/pack-package.mjs FOLDER`, after `npm run build`. It prints the name of the
// archive and sends nothing anywhere.
//
// The package names the compiled stand-ins (`build-native.mjs --all`) as optional dependencies, each in its own version.
// They are added here and not in package.json: before they are published, no registry has them, and a lock file with them
// could not be complete.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nativePackages } from './native-packages.mjs';

const [target] = process.argv.slice(2);
if (target === undefined) {
  console.error('usage: node scripts/pack-package.mjs FOLDER');
  process.exit(2);
}
const folder = resolve(target);
mkdirSync(folder, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'understudy-pack-'));
try {
  const plain = pack(fileURLToPath(new URL('..', import.meta.url)), scratch);
  execFileSync('tar', ['-xzf', plain], { cwd: scratch });
  const file = join(scratch, 'package', 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const compiled = Object.fromEntries(nativePackages.map(({ name }) => [name, manifest.version]));
  manifest.optionalDependencies = { ...manifest.optionalDependencies, ...compiled };
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  console.log(pack(join(scratch, 'package'), folder));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The name of the archive. What is built is there already, so no script of the package runs. */
function pack(from, to) {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', to];
  return execFileSync('npm', args, { cwd: from, encoding: 'utf8' }).trim().split('\n').at(-1);
}
