import { existsSync, readFileSync, writeFileSync } from 'node:fs';

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
    writeFileSync(this.#path, JSON.stringify(notes, null, 2) + '\n');
  }
}
