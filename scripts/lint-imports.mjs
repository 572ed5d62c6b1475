// The import rules of src/, held by `npm run lint`. It fails on an import that the table does not allow, on an
// allowance that no file uses, on a folder without a line, and on a circle between files.
// `node scripts/lint-imports.mjs [src [table.mjs]]`
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(process.argv[2] ?? 'src');
const { importRules } = await import(pathToFileURL(resolve(process.argv[3] ?? 'scripts/import-rules.mjs')).href);
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'";`]*?from\s*['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]\s*\)|(?:^|\n)import\s*['"]([^'"\n]+)['"]/g;

const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const packages = new Set(Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }));
const rooms = Object.keys(importRules).sort((a, b) => b.length - a.length);
const problems = new Set();
const unused = new Map(rooms.map((room) => [room, new Set(importRules[room])]));
const graph = new Map();

for (const file of sourceFiles()) {
  const room = roomOf(file);
  // The public entries at the root of src/ may import what they export.
  const isEntry = dirname(file) === '.';
  if (room === undefined && !isEntry) {
    problems.add(`src/${file}: ${dirname(file)} has no line in scripts/import-rules.mjs; add one`);
    continue;
  }
  const targets = importsOf(file);
  graph.set(file, targets);
  if (isEntry) continue;
  const allowed = importRules[room];
  for (const target of targets) {
    const reached = target.startsWith('npm:') ? target : (roomOf(target) ?? target);
    if (reached === room || reached === 'errors.ts') continue;
    if (allowed.includes(reached)) unused.get(room)?.delete(reached);
    else problems.add(`src/${file}: ${room} may not import ${reached}`);
  }
}
for (const [room, left] of unused) {
  for (const allowance of left) problems.add(`scripts/import-rules.mjs: ${room} does not use ${allowance}; remove it`);
}
for (const circle of circles()) problems.add(`circle: ${circle.map((file) => `src/${file}`).join(' → ')}`);

for (const problem of problems) console.error(problem);
if (problems.size > 0) process.exit(1);

/** Tests are not shipped: they may import what they need. */
function sourceFiles() {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** What a file imports: paths below src/ with their ending, or `npm:` and the name of a package. */
function importsOf(file) {
  const found = new Set();
  for (const match of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
    const specifier = match[1] ?? match[2] ?? match[3];
    if (specifier.startsWith('node:')) continue;
    if (specifier.startsWith('.')) {
      const target = relative(root, resolve(root, dirname(file), specifier))
        .split(sep)
        .join('/');
      found.add(target.replace(/\.js$/, '.ts'));
    } else {
      // Templates of test projects hold imports of their own, which are text here.
      const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)[0];
      if (packages.has(name)) found.add(`npm:${name}`);
    }
  }
  return [...found];
}

/** The room with the longest matching path; a line of the table may name a single file, too. */
function roomOf(file) {
  return rooms.find((room) => file === room || file.startsWith(`${room}/`));
}

/** Each group of files that import each other, however long the way round (Tarjan). */
function circles() {
  const found = [];
  const stack = [];
  const state = new Map();
  const visit = (file) => {
    const own = { index: state.size, low: state.size, open: true };
    state.set(file, own);
    stack.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      const other = state.get(target) ?? visit(target);
      if (other.open) own.low = Math.min(own.low, other.low);
    }
    if (own.low === own.index) {
      const group = stack.splice(stack.indexOf(file));
      for (const member of group) state.get(member).open = false;
      if (group.length > 1) found.push(group.reverse());
    }
    return own;
  };
  for (const file of graph.keys()) if (!state.has(file)) visit(file);
  return found;
}
