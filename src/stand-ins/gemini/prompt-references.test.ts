import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Workspace } from './files/workspace.js';
import { NotSupported } from './options.js';
import { partsOf } from './prompt-references.js';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'references-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it.each([
  ['a.mp3', Buffer.from('x'), 'reading a.mp3 (sound, film or picture)'],
  ['a.txt', Buffer.from('\ufeffx', 'utf16le'), 'reading a.txt (UTF-16)'],
  ['a.txt', Buffer.from([0x61, 0xff, 0x01]), 'reading a.txt (hardly text)'],
  ['[a].txt', Buffer.from('x'), 'a path with *, ?, [ or { in the prompt ([a].txt)'],
])('refuses %s where it is not known what the real one does', (name, content, what) => {
  writeFileSync(join(root, name), content);
  const prompt = `see @${name.replace(/[[\]]/g, '\\$&')}`;
  expect(() => partsOf(prompt, new Workspace([root], join(root, 'temp'), root))).toThrow(new NotSupported(what));
});
