const TEST_FOLDERS = new Set(['test', 'tests', '__tests__', 'spec', 'specs', 'testdata']);
const TEST_NAME = /^(test_.+|conftest|.+[._-](test|tests|spec)|.+(Test|Tests|Spec))\.[^.]+$/;
const SOURCE_NAME =
  /\.(py|ipynb|js|mjs|cjs|jsx|ts|mts|cts|tsx|vue|svelte|go|rs|rb|php|java|kt|scala|swift|c|h|cc|cpp|hpp|cs|ex|exs|lua|pl|sh|sql|html|css|scss)$/i;

/** What a path (relative to the repository) is for: 'test', 'implementation' or 'other'. */
export function kindOf(path) {
  const parts = path.split(/[\\/]/);
  const name = parts.pop() ?? '';
  if (!SOURCE_NAME.test(name)) return 'other';
  if (TEST_NAME.test(name) || parts.some((part) => TEST_FOLDERS.has(part))) return 'test';
  return 'implementation';
}
