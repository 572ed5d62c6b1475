import { resolve } from 'node:path';

/**
 * Cuts a shell command into words and operators. Quotes are taken off, here-documents are left
 * out. It knows as much of the shell as it takes to see where a command plainly writes.
 */
function tokens(command) {
  const found = [];
  const pattern =
    /(?<quoted>(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\;&|<>()])+)|(?<operator>\d*>>?\|?|&>>?|<<-?|<|&&|\|\||[;&|()]|\n)/gs;
  for (const { groups } of withoutHereDocuments(command).matchAll(pattern)) {
    if (groups.operator !== undefined) found.push({ operator: groups.operator.replace(/^\d+/, '') });
    else
      found.push({ word: groups.quoted.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_, a, b, c) => a ?? b ?? c) });
  }
  return found;
}

function withoutHereDocuments(command) {
  const kept = [];
  let end;
  for (const line of command.split('\n')) {
    if (end !== undefined) {
      if (line.trim() === end) end = undefined;
      continue;
    }
    kept.push(line);
    end = /<<-?\s*(['"]?)([\w-]+)\1/.exec(line)?.[2];
  }
  return kept.join('\n');
}

function targetsOf(words) {
  const [program, ...rest] = words;
  const plain = rest.filter((word) => !word.startsWith('-'));
  if (program === 'tee') return plain;
  if (program === 'cp' || program === 'mv') return plain.slice(-1);
  if (program === 'sed' && rest.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(word))) return plain.slice(1);
  return [];
}

/** The files that a shell command plainly writes, as absolute paths. Names with variables are not resolved. */
export function filesWrittenBy(command, cwd) {
  const written = [];
  let folder = cwd;
  let words = [];
  let redirecting = false;
  const add = (path) => {
    if (!/[$`*?]/.test(path) && !path.startsWith('&')) written.push(resolve(folder, path));
  };
  const endCommand = () => {
    targetsOf(words).forEach(add);
    if (words[0] === 'cd' && words[1] !== undefined) folder = resolve(folder, words[1]);
    words = [];
  };
  for (const { word, operator } of tokens(command)) {
    if (word === undefined) {
      redirecting = operator.includes('>');
      if (!/[<>]/.test(operator)) endCommand();
    } else if (redirecting) {
      add(word);
      redirecting = false;
    } else words.push(word);
  }
  endCommand();
  return written;
}
