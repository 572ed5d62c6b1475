const USAGE = 'usage: notes add TEXT | list | remove NUMBER';

/** Runs one command and gives back what it prints. */
export function run([command, argument], store) {
  if (command === 'add') return 'note ' + store.add(argument) + ' added\n';
  if (command === 'remove') return 'removed: ' + store.remove(Number(argument)) + '\n';
  if (command !== 'list') throw new RangeError(USAGE);
  return store
    .load()
    .map((note, index) => index + 1 + '. ' + note.text + '\n')
    .join('');
}
