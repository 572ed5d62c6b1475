import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createScratch } from '@understudy/kit';
import { expect, it, onTestFinished } from 'vitest';
import { foldersOfPackage } from './own-package.js';

/** Writes packages with what each depends on, and links. */
function tree(packages: Record<string, string[]>, links: Record<string, string> = {}): (path: string) => string {
  const scratch = createScratch('packages');
  onTestFinished(() => scratch.remove());
  const at = (path: string) => join(scratch.path, path);
  for (const [path, names] of Object.entries(packages)) {
    mkdirSync(at(path), { recursive: true });
    const dependencies = Object.fromEntries(names.map((name) => [name, '1']));
    writeFileSync(join(at(path), 'package.json'), JSON.stringify({ dependencies }));
  }
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    symlinkSync(at(target), at(path));
  }
  return at;
}

it('shows the build of a checkout and the modules beside and above it, and not the checkout', () => {
  const at = tree({ 'ws/own': ['a', 'missing'], 'ws/own/node_modules/a': ['b'], 'ws/node_modules/b': [] });
  const build = at('ws/own/dist');
  expect(foldersOfPackage(at('ws/own'), [build])).toEqual([build, at('ws/own/node_modules'), at('ws/node_modules')]);
});

it('shows one folder for an installed package, with the store in it', () => {
  const at = tree(
    { 'p/node_modules/.pnpm/own@1/node_modules/own': ['a'], 'p/node_modules/.pnpm/a@1/node_modules/a': [] },
    { 'p/node_modules/.pnpm/own@1/node_modules/a': 'p/node_modules/.pnpm/a@1/node_modules/a' },
  );
  const own = at('p/node_modules/.pnpm/own@1/node_modules/own');
  expect(foldersOfPackage(own, [join(own, 'dist')])).toEqual([at('p/node_modules')]);
});

it('follows links to a store elsewhere, and to sources', () => {
  const at = tree(
    { own: ['a', 'b'], 'store/a/1/node_modules/a': ['c'], 'store/c/1/node_modules/c': [], 'sources/b': ['a'] },
    {
      'own/node_modules/a': 'store/a/1/node_modules/a',
      'own/node_modules/b': 'sources/b',
      'store/a/1/node_modules/c': 'store/c/1/node_modules/c',
    },
  );
  expect(foldersOfPackage(at('own'), []).sort()).toEqual([
    at('own/node_modules'),
    at('sources/b'),
    at('store/a/1/node_modules'),
    at('store/c/1/node_modules'),
  ]);
});
