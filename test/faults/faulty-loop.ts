import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'tsdown';
import { externalYaml } from '../../scripts/external-yaml.mjs';
import { faces } from '../../scripts/faces.mjs';
import type { Change } from './catalogue/loop.js';

/** Where our bundles have the package that they load on demand. */
const YAML = resolve('dist/bin/yaml.cjs');

/** Builds the reference loop with these changes into a folder, and gives the `ralph` there. */
export async function plantLoop(folder: string, changes: readonly Change[]): Promise<string> {
  const sources = new Map<string, string>();
  for (const [name, written, instead] of changes) {
    const file = resolve(name);
    const parts = (sources.get(file) ?? readFileSync(file, 'utf8')).split(written);
    if (parts.length !== 2) throw new Error(`${name} has "${written}" ${parts.length - 1} times, not once`);
    sources.set(file, parts.join(instead));
  }
  const planted = new Set<string>();
  const load = (id: string) => {
    const code = sources.get(id);
    if (code !== undefined) planted.add(id);
    return code === undefined ? null : { code, moduleType: 'ts' as const };
  };
  const program = join(folder, 'program');
  await build({
    ...{ config: false, logLevel: 'error', dts: false, clean: false, platform: 'node', format: 'cjs' },
    entry: { loop: 'src/bin/understudy-loop.ts' },
    outDir: program,
    plugins: [faces, { name: 'planted', load }, externalYaml],
    deps: { alwaysBundle: [/^zod/, /^smol-toml/, /^commander/, /^picocolors/], onlyBundle: false },
  });
  const unused = [...sources.keys()].filter((file) => !planted.has(file));
  if (unused.length > 0) throw new Error(`the loop does not use ${unused.join(', ')}`);
  mkdirSync(program, { recursive: true });
  cpSync(YAML, join(program, 'yaml.cjs'));
  const ralph = join(folder, 'ralph');
  const loop = `'${process.execPath}' '${join(program, 'loop.cjs')}' loop "$@"`;
  writeFileSync(ralph, `#!/bin/sh\n[ "$1" = --version ] && echo 'understudy loop 0.0.0' && exit\nexec ${loop}\n`);
  chmodSync(ralph, 0o755);
  return ralph;
}
