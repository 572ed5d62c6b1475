import { readFileSync } from 'node:fs';

/** What is dynamic in a command's text: arguments, shell lines, files, variables. */
const DYNAMIC = /[$`@]|!\s*`/;
const LONGEST = 80;

/** What can be said of a command by its text. */
export function readCommandBody(file: string): { takesArguments: boolean; line?: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return { takesArguments: false };
  }
  const body = text.replace(/^\uFEFF?---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, '');
  const line = body
    .split(/\r?\n/)
    .map((candidate) => candidate.trim())
    .find((candidate) => candidate.length > 3 && !DYNAMIC.test(candidate));
  return {
    takesArguments: /\$ARGUMENTS|\$\d/.test(body),
    ...(line === undefined ? {} : { line: line.slice(0, LONGEST).trim() }),
  };
}
