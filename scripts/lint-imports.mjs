// The import rules, held by `npm run lint`. A package is used through its face alone (`@understudy/NAME`), and only
// by packages that name it in their package.json. Inside of a package, `src/layers.json` says what stands on what: a
// folder may import its own line and the lines before. Test files use faces, too, but may climb.
// `node scripts/lint-imports.mjs [ROOT]`
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { readFace } from './faces.mjs';

const root = resolve(process.argv[2] ?? '.');
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b([^'";`]*?)from\s*['"]([^'"\n]+)['"]|([^;\n]*)\bimport\(\s*['"]([^'"\n]+)['"]\s*\)([^;\n]*)|(?:^|\n)import\s*['"]([^'"\n]+)['"]/g;
const problems = new Set();
const graph = new Map();

const packages = new Map(
  [...namesOf('packages').map((name) => `packages/${name}`), '.'].map((folder) => [folder, readPackage(folder)]),
);
for (const own of packages.values()) for (const file of filesOf(own.folder)) look(own, file);
for (const own of packages.values()) {
  for (const name of own.unused) problems.add(`${own.manifest}: nothing in it imports ${name}; remove it`);
  for (const entry of own.layers.keys())
    if (!own.entries.has(entry)) problems.add(`${own.rules}: ${entry} is not there`);
}
for (const circle of circles(usesOf())) problems.add(`circle of packages: ${circle.join(' → ')}`);
for (const circle of circles(graph)) problems.add(`circle: ${circle.join(' → ')}`);

for (const problem of problems) console.error(problem);
if (problems.size > 0) process.exit(1);

function readPackage(folder) {
  const manifest = join(folder, 'package.json');
  const {
    dependencies = {},
    peerDependencies,
    optionalDependencies,
  } = JSON.parse(readFileSync(join(root, manifest), 'utf8'));
  const rules = `${folder === '.' ? '' : `${folder}/`}src/layers.json`;
  const layers = JSON.parse(readFileSync(join(root, rules), 'utf8'));
  const ranks = new Map(layers.flatMap((line, rank) => line.split(' ').map((entry) => [entry, rank])));
  const names = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
  // What the published package needs, the packages beneath it may use.
  return {
    ...{ folder, manifest, rules, layers: ranks, entries: new Set(), names: new Set(names) },
    unused: new Set(folder === '.' ? [] : names),
  };
}

function look(own, file) {
  const isTest = file.endsWith('.test.ts');
  const entry = entryOf(own, file);
  if (entry !== undefined && !isTest) {
    own.entries.add(entry);
    if (!own.layers.has(entry)) problems.add(`${file}: ${own.rules} has no line for ${entry}`);
  }
  const targets = [];
  for (const { specifier, names } of importsOf(file)) {
    if (specifier.startsWith('node:')) continue;
    if (specifier.startsWith('.')) targets.push(...near(own, file, specifier, isTest));
    else targets.push(...far(own, file, specifier, names, isTest));
  }
  if (!isTest) graph.set(file, targets);
}

/** A file of the same package. */
function near(own, file, specifier, isTest) {
  const target = relative(root, resolve(root, dirname(file), specifier))
    .split(sep)
    .join('/')
    .replace(/\.js$/, '.ts');
  if (target === 'package.json') return [];
  if (packageOf(target) !== own.folder) {
    if (!isTest || isSource(target)) problems.add(`${file}: ${specifier} is in another package; import its face`);
    return [];
  }
  if (target.endsWith('.json')) return [];
  const [from, to] = [entryOf(own, file), entryOf(own, target)].map((entry) => own.layers.get(entry));
  if (!isTest && from < to) problems.add(`${file}: ${entryOf(own, target)} stands above ${entryOf(own, file)}`);
  return [target];
}

/** The face of another package, or a package of npm. */
function far(own, file, specifier, names, isTest) {
  const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)[0];
  const isOurs = name.startsWith('@understudy/');
  if (isOurs && name !== specifier) problems.add(`${file}: ${specifier} goes past the face of ${name}`);
  own.unused.delete(name);
  if (isTest) return [];
  if (!isOurs && own.folder === '.') return [];
  if (isOurs ? own.folder !== '.' && !own.names.has(name) : packages.get('.').names.has(name) && !own.names.has(name)) {
    problems.add(`${file}: ${own.manifest} does not name ${name}`);
  }
  if (!isOurs) return [];
  const folder = `packages/${name.slice('@understudy/'.length)}`;
  if (!packages.has(folder)) {
    problems.add(`${file}: there is no ${folder}`);
    return [];
  }
  const face = readFace(join(root, folder));
  return names.flatMap((shown) => {
    const found = face.get(shown);
    if (found === undefined) problems.add(`${file}: ${folder}/index.ts does not export ${shown}`);
    return found === undefined ? [] : [relative(root, found.file).split(sep).join('/')];
  });
}

function importsOf(file) {
  return [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(
    ([, clause, from, before = '', dynamic, behind = '', bare]) => ({
      specifier: from ?? dynamic ?? bare,
      names:
        dynamic === undefined
          ? namesIn(clause ?? '')
          : [...namesIn(before.replaceAll(':', ' as ')), ...(/^\)?\.(\w+)/.exec(behind)?.slice(1) ?? [])],
    }),
  );
}

function namesIn(clause) {
  const list = /\{([^{}]*)\}[^{}]*$/.exec(clause)?.[1] ?? '';
  return list.split(',').flatMap((part) => /^\s*(?:type\s+)?(\w+)/.exec(part)?.[1] ?? []);
}

function filesOf(folder) {
  const src = join(folder, 'src');
  const found = readdirSync(join(root, src), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
  return found.sort();
}

function isSource(file) {
  return /^(?:src|packages)\//.test(file);
}

function packageOf(file) {
  return /^packages\/[^/]+/.exec(file)?.[0] ?? (file.startsWith('src/') ? '.' : undefined);
}

/** The folder or file right below `src/`. */
function entryOf(own, file) {
  const src = own.folder === '.' ? 'src/' : `${own.folder}/src/`;
  return file.startsWith(src) ? file.slice(src.length).split('/')[0] : undefined;
}

function namesOf(folder) {
  const path = join(root, folder);
  return existsSync(path) ? readdirSync(path).filter((name) => existsSync(join(path, name, 'package.json'))) : [];
}

function usesOf() {
  const ours = (names) =>
    [...names].filter((name) => name.startsWith('@understudy/')).map((name) => `packages/${name.slice(12)}`);
  return new Map([...packages].map(([folder, { names }]) => [folder, ours(names)]));
}

/** Each group that import each other, however long the way round (Tarjan). */
function circles(edges) {
  const found = [];
  const stack = [];
  const state = new Map();
  const visit = (node) => {
    const own = { index: state.size, low: state.size, open: true };
    state.set(node, own);
    stack.push(node);
    for (const target of edges.get(node) ?? []) {
      if (!edges.has(target)) continue;
      const other = state.get(target) ?? visit(target);
      if (other.open) own.low = Math.min(own.low, other.low);
    }
    if (own.low === own.index) {
      const group = stack.splice(stack.indexOf(node));
      for (const member of group) state.get(member).open = false;
      if (group.length > 1) found.push(group.reverse());
    }
    return own;
  };
  for (const node of edges.keys()) if (!state.has(node)) visit(node);
  return found;
}
