// The import rules between folders of src/: the lower never imports the higher. Prints each import
// that breaks them and fails. `node scripts/lint-imports.mjs [src]`
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** What each folder may import besides itself and errors.ts. */
const LOW = ['document', 'process', 'scenario'];
const PLAYING = [...LOW, 'simulator', 'model-server', 'workspace'];
const TALKING = [...PLAYING, 'agents', 'conversation'];
const MAY_IMPORT = {
  document: [],
  process: [],
  scenario: ['document'],
  simulator: LOW,
  'model-server': LOW,
  workspace: ['document', 'process'],
  agents: PLAYING,
  conversation: [...PLAYING, 'agents'],
  plugins: TALKING,
  checks: [...TALKING, 'plugins'],
  rehearsal: [...TALKING, 'plugins', 'checks'],
  reports: ['process', 'checks', 'rehearsal'],
  runner: [...TALKING, 'rehearsal', 'reports'],
  harness: [...TALKING, 'plugins', 'checks', 'rehearsal'],
  vitest: [...TALKING, 'plugins', 'checks', 'rehearsal', 'harness'],
  mcp: [...TALKING, 'plugins', 'checks', 'rehearsal', 'harness'],
  scaffold: ['document', 'process', 'scenario', 'plugins', 'rehearsal'],
  loop: ['document', 'process'],
  suite: [...TALKING, 'checks', 'loop'],
  cli: 'everything',
  bin: ['cli', 'simulator'],
};

const root = resolve(process.argv[2] ?? 'src');
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"\n;]*?(?:\n[^'";]*?)*?from\s*['"](\.[^'"]*)['"]|\bimport\(\s*['"](\.[^'"]*)['"]\s*\)|(?:^|\n)import\s*['"](\.[^'"]*)['"]/g;

const problems = [];
for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.ts$/.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const folder = topFolder(file);
  // The public entry points at the root of src may import what they export.
  if (folder === undefined) continue;
  const allowed = MAY_IMPORT[folder];
  if (allowed === undefined) {
    problems.push(`${show(file)}: the folder ${folder} has no import rule; add it to scripts/lint-imports.mjs`);
    continue;
  }
  if (allowed === 'everything') continue;
  for (const match of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const target = resolve(dirname(file), match[1] ?? match[2] ?? match[3]);
    const targetFolder = topFolder(target);
    const reached = targetFolder ?? relative(root, target);
    // Only a test may look outside src, for the helpers in test/.
    const helper = reached === '..' && entry.name.endsWith('.test.ts');
    const fine = reached === folder || allowed.includes(reached) || reached === 'errors.js' || helper;
    if (!fine)
      problems.push(`${show(file)}: ${folder} may not import ${reached} (only ${allowed.join(', ') || 'errors.ts'})`);
  }
}

for (const problem of new Set(problems)) console.error(problem);
if (problems.length > 0) process.exit(1);

function topFolder(file) {
  const [first, ...rest] = relative(root, file).split(sep);
  return rest.length === 0 ? undefined : first;
}

function show(file) {
  return join('src', relative(root, file));
}
