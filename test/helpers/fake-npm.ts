import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch } from '../../src/process/scratch.js';

/** An npm that "installs" Gemini CLI from nowhere, and an empty store. */
export interface FakeNpm {
  folder: string;
  store: string;
  /** What makes a program find it. */
  env: Record<'PATH' | 'UNDERSTUDY_STORE', string>;
  /** How often it was called. */
  runs(): number;
  /** A shell script that it runs first. */
  before(script: string): void;
  /** It waits in the middle of its work, or no longer. */
  hold(on: boolean): void;
  /** Its process while it waits. */
  pid(): number | undefined;
  remove(): Promise<void>;
}

const PACKAGE = 'node_modules/@google/gemini-cli';

export function startFakeNpm(): FakeNpm {
  const scratch = createScratch('fake-npm');
  const folder = scratch.path;
  const file = (name: string) => join(folder, name);
  mkdirSync(file('bin'));
  writeFileSync(file('before'), '');
  writeFileSync(
    file('bin/npm'),
    `#!/bin/sh
echo run >> '${file('runs')}'
. '${file('before')}'
for last; do :; done
version=\${last##*@}
[ "$version" = latest ] && version=9.9.9
mkdir -p ${PACKAGE}/bundle
echo $$ > '${file('pid')}'
sleep 0.3
while [ -e '${file('hold')}' ]; do sleep 0.1; done
echo "import './chunk.js'; console.log('$version')" > ${PACKAGE}/bundle/gemini.js
echo 'console.log("a part")' > ${PACKAGE}/bundle/chunk.js
echo 'Read me.' > ${PACKAGE}/README.md
printf '{"packages":{"${PACKAGE}":{"version":"%s","integrity":"sha512-x"}}}' "$version" > package-lock.json
`,
  );
  chmodSync(file('bin/npm'), 0o755);
  const text = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8').trim() : '');
  return {
    folder,
    store: file('store'),
    env: { PATH: `${file('bin')}:${process.env['PATH']}`, UNDERSTUDY_STORE: file('store') },
    runs: () => text('runs').split('\n').filter(Boolean).length,
    before: (script) => writeFileSync(file('before'), script),
    hold: (on) => (on ? writeFileSync(file('hold'), '') : rmSync(file('hold'))),
    pid: () => Number(text('pid')) || undefined,
    remove: () => scratch.remove(),
  };
}
