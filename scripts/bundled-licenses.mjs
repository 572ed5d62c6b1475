import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folders of packages whose code is in a bundle; one list for all bundles of a build. */
const folders = new Set();

/** A plugin of the bundler that writes the license texts of all packages whose code is in a bundle. */
export function bundledLicenses(file) {
  return {
    name: 'bundled-licenses',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const [id, { renderedLength }] of Object.entries(chunk.modules)) {
          const folder = renderedLength === 0 ? undefined : packageFolder(id);
          if (folder !== undefined) folders.add(folder);
        }
      }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${HEAD}\n${[...folders].map(entryOf).sort().join('\n')}`);
    },
  };
}

const HEAD = `The programs in this package contain code of the packages below, under these licenses.
`;

function packageFolder(id) {
  const [, folder] = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
  return folder;
}

function entryOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder).filter((entry) => /^(licen[cs]e|notice|copying)/i.test(entry));
  if (texts.length === 0) throw new Error(`${name}@${version} is bundled and has no license text`);
  const text = texts.map((entry) => readFileSync(join(folder, entry), 'utf8').trim()).join('\n\n');
  return `${'='.repeat(80)}\n${name}@${version} (${license})\n${'='.repeat(80)}\n\n${text}\n`;
}
