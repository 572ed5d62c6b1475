// For bundles that have to start fast: every file costs a start a millisecond, and only what a run needs should be
// read. So what a start imports statically goes into one file; what several of them share goes into one for all of
// these.

/**
 * @param {string} name of the bundle
 * @param {readonly string[]} always the ends of the paths of entries such as `src/bin/understudy-claude.ts`, each of
 *   which gets a file of its own with all that it imports
 * @param {readonly string[]} some the same for what only some runs need: one file for each set of entries that need it
 * @returns a plugin that watches the imports, and the groups of chunks for `codeSplitting`
 */
export function staticCores(name, always, some = []) {
  const imports = new Map();
  let files;
  return {
    plugin: {
      name: 'static-cores',
      moduleParsed: ({ id, importedIds }) => {
        imports.set(id, importedIds);
      },
    },
    // A group takes along what its modules import. What more entries share comes first, so nothing is taken from it.
    groups: Array.from({ length: always.length + some.length }, (_, rank) => ({
      name: (id) => {
        files ??= filesOf(imports, always, some);
        const file = files.get(id);
        return file?.rank === rank ? [name, ...file.entries.map(label)].join('-') : null;
      },
      priority: always.length + some.length - rank,
    })),
  };
}

/** For each module the entries whose file it belongs to, and how late that file is to be filled. */
function filesOf(imports, always, some) {
  const files = new Map();
  const closures = new Map([...always, ...some].map((entry) => [entry, closure(entry, imports)]));
  for (const id of imports.keys()) {
    const needs = (entry) => closures.get(entry).has(id);
    const core = always.findIndex(needs);
    const entries = core === -1 ? some.filter(needs) : [always[core]];
    const rank = core === -1 ? always.length + some.length - entries.length : core;
    if (entries.length > 0) files.set(id, { entries, rank });
  }
  return files;
}

/** `packages/runner/src/rehearsal/load.ts` is `rehearsal`, `src/cli/run-e2e.ts` is `run-e2e`. */
function label(entry) {
  const [folder, file] = entry
    .replace(/\.ts$/, '')
    .split('/')
    .filter((part) => part !== 'src')
    .slice(-2);
  return folder === 'cli' ? file : folder;
}

function closure(entry, imports) {
  const seen = new Set();
  const visit = (id) => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const next of imports.get(id) ?? []) visit(next);
  };
  for (const id of imports.keys()) if (id.endsWith(entry)) visit(id);
  return seen;
}
