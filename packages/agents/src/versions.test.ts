import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import facts from './claude/facts/facts.json' with { type: 'json' };
import pinnedPackages from './pinned-packages.json' with { type: 'json' };
import versions from './versions.json' with { type: 'json' };

/** The places of `text` that name a version of ours. `claude@1.2.3` is an example of what can be asked for. */
function namedIn(text: string): string[] {
  return Object.values(versions).filter((version) =>
    new RegExp(`(?<![@\\d.-])${version.replaceAll('.', '\\.')}(?![\\d.])`).test(text),
  );
}

it('finds a version, and no example of one', () => {
  expect(namedIn(`const VERSION = '${versions.codex}';`)).toEqual([versions.codex]);
  expect(namedIn(`claude@${versions.claude}, 1${versions.claude}, ${versions.claude}.7`)).toEqual([]);
});

it.each(['src', 'packages', 'docs', 'scripts'])('names the version of a CLI nowhere else in %s', (folder) => {
  const root = new URL(`../../../${folder}/`, import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|mjs|md)$/.test(file) && !file.endsWith('.test.ts'))
    .flatMap((file) => namedIn(readFileSync(new URL(file, root), 'utf8')).map((version) => `${file}: ${version}`));
  expect(files).toEqual([]);
});

it('has the records of these versions', () => {
  expect(facts.version, 'npm run record:facts').toBe(versions.claude);
  for (const [agent, { version }] of Object.entries(pinnedPackages))
    expect(version, `node scripts/pin-agents.mjs ${agent}`).toBe(versions[agent as keyof typeof pinnedPackages]);
});
