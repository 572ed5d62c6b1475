// For bundles that have to start fast: all modules that an entry imports statically go into its own
// file. Every further file costs a start a millisecond, and only what a run needs should be read.

/**
 * @param {string} entry the end of the entry's path, such as `src/bin/understudy-claude.ts`
 * @returns a plugin that watches the imports, and a test for a chunk group that takes in the core
 */
export function staticCore(entry) {
  const imports = new Map();
  let core;
  return {
    plugin: {
      name: 'static-core',
      moduleParsed: ({ id, importedIds }) => {
        imports.set(id, importedIds);
      },
    },
    test: (id) => {
      core ??= closure(entry, imports);
      return core.has(id);
    },
  };
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
