import type { Template } from './template.js';

const store = `import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Notes in a JSON file. */
export class NoteStore {
  #path;

  constructor(path) {
    this.#path = path;
  }

  load() {
    return existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, 'utf8')) : [];
  }

  add(text) {
    if (text === undefined || text.trim() === '') throw new RangeError('a note needs a text');
    const notes = [...this.load(), { text: text.trim() }];
    this.#save(notes);
    return notes.length;
  }

  remove(number) {
    const notes = this.load();
    const removed = notes[number - 1];
    if (removed === undefined) throw new RangeError('there is no note ' + number);
    this.#save(notes.filter((note) => note !== removed));
    return removed.text;
  }

  #save(notes) {
    writeFileSync(this.#path, JSON.stringify(notes, null, 2) + '\\n');
  }
}
`;

const cli = `const USAGE = 'usage: notes add TEXT | list | remove NUMBER';

/** Runs one command and gives back what it prints. */
export function run([command, argument], store) {
  if (command === 'add') return 'note ' + store.add(argument) + ' added\\n';
  if (command === 'remove') return 'removed: ' + store.remove(Number(argument)) + '\\n';
  if (command !== 'list') throw new RangeError(USAGE);
  return store
    .load()
    .map((note, index) => index + 1 + '. ' + note.text + '\\n')
    .join('');
}
`;

const bin = `#!/usr/bin/env node
import { run } from '../src/cli.js';
import { NoteStore } from '../src/store.js';

try {
  process.stdout.write(run(process.argv.slice(2), new NoteStore(process.env.NOTES_FILE ?? 'notes.json')));
} catch (error) {
  process.stderr.write('notes: ' + error.message + '\\n');
  process.exitCode = 1;
}
`;

const tests = `import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { run } from '../src/cli.js';
import { NoteStore } from '../src/store.js';

let folder;
let store;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notes-'));
  store = new NoteStore(join(folder, 'notes.json'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test('lists nothing at first', () => {
  assert.equal(run(['list'], store), '');
});

test('lists notes in order', () => {
  run(['add', 'milk'], store);
  run(['add', 'bread'], store);
  assert.equal(run(['list'], store), '1. milk\\n2. bread\\n');
});

test('removes by number', () => {
  run(['add', 'milk'], store);
  assert.equal(run(['remove', '1'], store), 'removed: milk\\n');
  assert.equal(run(['list'], store), '');
});

test('refuses an empty note', () => {
  assert.throws(() => run(['add', '  '], store), /needs a text/);
});

test('refuses a number that is not there', () => {
  assert.throws(() => run(['remove', '3'], store), /no note 3/);
});

test('explains itself when the command is unknown', () => {
  assert.throws(() => run(['burn'], store), /usage/);
});
`;

/** A note keeper in plain Node. */
export const cliJavascript: Template = {
  files: ({ title, slug }) => ({
    'README.md': `# ${title}\n\nKeeps notes in a file.\n\n- Run: \`node bin/notes.js add "buy milk"\`, \`list\`, \`remove 1\`\n- Test: \`npm test\`\n`,
    '.gitignore': 'node_modules/\nnotes.json\n',
    'package.json': `${JSON.stringify(
      {
        name: slug,
        version: '0.1.0',
        private: true,
        type: 'module',
        bin: { notes: './bin/notes.js' },
        engines: { node: '>=20' },
        scripts: { test: 'node --test' },
      },
      null,
      2,
    )}\n`,
    'bin/notes.js': bin,
    'src/cli.js': cli,
    'src/store.js': store,
    'test/notes.test.js': tests,
  }),
  testCommand: ['node', '--test'],
  runCommand: ['node', 'bin/notes.js'],
};
