import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch } from '../../packages/kit/src/process/scratch.js';

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
  /** The range of Node that its Gemini CLI asks for. */
  engines(range: string): void;
  /** What was asked for as Node. */
  node(): string;
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
name=\${last%@*}
case $name in node-*)
  mkdir -p node_modules/$name/bin
  printf '#!/bin/sh\\nOWN_NODE=1 exec "%s" "$@"\\n' '${process.execPath}' > node_modules/$name/bin/node
  chmod +x node_modules/$name/bin/node
  echo '{"version":"99.1.0"}' > node_modules/$name/package.json
  printf '{"packages":{"${PACKAGE}":{"version":"1.2.3","integrity":"sha512-x"},"node_modules/%s":{"version":"99.1.0","integrity":"sha512-n"}}}' $name > package-lock.json
  echo "$last" > '${file('node')}'
  exit 0;;
esac
version=\${last##*@}
[ "$version" = latest ] && version=9.9.9
mkdir -p ${PACKAGE}/bundle
echo $$ > '${file('pid')}'
sleep 0.3
while [ -e '${file('hold')}' ]; do sleep 0.1; done
echo "import './chunk.js'; console.log(process.env.OWN_NODE === '1' ? '$version on its own Node' : '$version')" > ${PACKAGE}/bundle/gemini.js
echo 'console.log("a part")' > ${PACKAGE}/bundle/chunk.js
echo 'Read me.' > ${PACKAGE}/README.md
[ -e '${file('engines')}' ] && cp '${file('engines')}' ${PACKAGE}/package.json
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
    engines: (range) => writeFileSync(file('engines'), JSON.stringify({ engines: { node: range } })),
    node: () => text('node'),
    hold: (on) => (on ? writeFileSync(file('hold'), '') : rmSync(file('hold'))),
    pid: () => Number(text('pid')) || undefined,
    remove: () => scratch.remove(),
  };
}
