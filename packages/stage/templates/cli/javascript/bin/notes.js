#!/usr/bin/env node
import { run } from '../src/cli.js';
import { NoteStore } from '../src/store.js';

try {
  process.stdout.write(run(process.argv.slice(2), new NoteStore(process.env.NOTES_FILE ?? 'notes.json')));
} catch (error) {
  process.stderr.write('notes: ' + error.message + '\n');
  process.exitCode = 1;
}
