// A face (`packages/NAME/index.ts`) is for readers and for the rules. A program or a test that imports three names of a
// package should not load all of it, so bundles and Vitest read the files that the names come from.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../packages', import.meta.url));
const STATIC = /^(import|export) (type )?\{([^}]*)\} from '@understudy\/([a-z-]+)';/gm;
const BOUND = /\{([^{}]*)\} = await import\('@understudy\/([a-z-]+)'\)/g;
const ONE = /\(await import\('@understudy\/([a-z-]+)'\)\)\.(\w+)/g;

/** For Rolldown and Vite: imports of faces become imports of files. */
export const faces = {
  name: 'faces',
  enforce: 'pre',
  transform(code, id) {
    if (!code.includes("'@understudy/") || !/\.ts$/.test(id)) return undefined;
    return {
      code: code
        .replace(STATIC, (_, keyword, type = '', names, name) => byFile(keyword, type, names, name))
        .replace(BOUND, (whole, names, name) => {
          const files = new Set(listed(names, ':').map(({ shown }) => fileOf(name, shown).file));
          return files.size === 1 ? `{${renamed(names, name)}} = await import('${[...files][0]}')` : whole;
        })
        .replace(ONE, (_, name, shown) => {
          const { file, own } = fileOf(name, shown);
          return `(await import('${file}')).${own}`;
        }),
      map: null,
    };
  },
};

function byFile(keyword, type, names, name) {
  const files = new Map();
  for (const { kind, shown, local } of listed(names, ' as ')) {
    const { file, own } = fileOf(name, shown);
    const list = files.get(file) ?? [];
    files.set(file, [...list, `${kind}${own} as ${local}`]);
  }
  // On one line, so that places in errors stay true.
  return (
    [...files].map(([file, list]) => `${keyword} ${type}{ ${list.join(', ')} } from '${file}';`).join(' ') +
    '\n'.repeat(names.split('\n').length - 1)
  );
}

function renamed(names, name) {
  return listed(names, ':')
    .map(({ shown, local }) => `${fileOf(name, shown).own}: ${local}`)
    .join(', ');
}

/** `a, type B, c as d`, or `a, c: d`. */
function listed(names, separator) {
  return names
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const kind = part.startsWith('type ') ? 'type ' : '';
      const [shown = '', local = shown] = part
        .slice(kind.length)
        .split(separator)
        .map((word) => word.trim());
      return { kind, shown, local };
    });
}

const read = new Map();

function fileOf(name, shown) {
  if (!read.has(name)) read.set(name, readFace(join(packages, name)));
  const found = read.get(name).get(shown);
  if (found === undefined) throw new Error(`packages/${name}/index.ts does not export ${shown}`);
  return found;
}

/** Which file each name of a face comes from, and what it is called there. */
export function readFace(folder) {
  const face = join(folder, 'index.ts');
  const found = new Map();
  for (const [, names, specifier] of readFileSync(face, 'utf8').matchAll(
    /^export (?:type )?\{([^}]*)\} from '(\.[^']+)\.js';/gm,
  )) {
    const file = join(dirname(face), `${specifier}.ts`);
    for (const { shown: own, local: shown } of listed(names, ' as ')) found.set(shown, { file, own });
  }
  return found;
}
