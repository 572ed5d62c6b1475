import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface LockEntry {
  version?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

/**
 * Parts of two tools of ours for machines that we do not build on: the registry at hand did not have them when the lock
 * file was written. `node scripts/complete-lock.mjs` adds their integrity where it can be had.
 */
const NOT_AT_HAND = /^(?:@biomejs\/cli-|@rolldown\/binding-)/;

function withoutIntegrity(lockFile: string): string[] {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Record<string, LockEntry> };
  return Object.entries(packages).flatMap(([path, entry]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const isOurs = !path.includes('node_modules/');
    if (isOurs || entry.link === true || entry.integrity !== undefined) return [];
    const built = entry.os?.includes('linux') === true && entry.cpu?.includes('x64') && !entry.libc?.includes('musl');
    const isOther = NOT_AT_HAND.test(name) && entry.dev === true && entry.optional === true && !built;
    return isOther ? [] : [`${name}@${entry.version}`];
  });
}

describe('the lock file', () => {
  it.each(['package-lock.json', 'test/mcp-conformance/package-lock.json'])(
    '%s has integrity for what is used',
    (file) => {
      expect(withoutIntegrity(file)).toEqual([]);
    },
  );
});

describe('what is bundled', () => {
  const licenses = readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8');
  const listed = [...licenses.matchAll(/^=+\n(\S+)@[^@\n]+ \(.+\)\n=+$/gm)].map(([, name]) => name ?? '');

  it('has its license text, package by package', () => {
    const bundles = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.[cm]?js$/.test(name),
    );
    const bundled = new Set(
      bundles.flatMap((name) =>
        [...readFileSync(join('dist', name), 'utf8').matchAll(/#region .*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/g)].map(
          ([, found]) => found ?? '',
        ),
      ),
    );
    expect(bundled.size).toBeGreaterThan(10);
    expect([...bundled].filter((name) => !listed.includes(name))).toEqual([]);
  });

  it('each text is a license, and those of small files that were minified are there, too', () => {
    expect(listed).toEqual(expect.arrayContaining(['zod', 'yaml', 'smol-toml', 'commander', 'picocolors']));
    for (const section of licenses.split(/^=+\n\S+@[^@\n]+ \(.+\)\n=+$/m).slice(1)) {
      expect(section).toMatch(/copyright|permission is hereby granted|apache license/i);
    }
  });

  it('stands in the page of the report, which people give to others', () => {
    const page = readFileSync('dist/report/index.html', 'utf8');
    expect(page).toMatch(/\npreact@\S+ \(MIT\)\n/);
    expect(page).toMatch(/\ndiff@\S+ \(BSD-3-Clause\)\n/);
  });

  it('the package has them, and the security page', () => {
    const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] };
    expect(files).toEqual(expect.arrayContaining(['dist', 'SECURITY.md', 'docs']));
  });
});
