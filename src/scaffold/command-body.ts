import { readFileSync } from 'node:fs';
import { readFrontMatter } from '../claude-code/front-matter.js';

/** Parts of a command's text that change: arguments, shell lines, files, variables. */
const DYNAMIC = /[$`@]|!\s*`/;
const MAX_LENGTH = 80;

/** Reads whether a command takes arguments, and a line that its expansion must contain. */
export function readCommandBody(file: string): { takesArguments: boolean; line?: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return { takesArguments: false };
  }
  const { body } = readFrontMatter(text);
  const line = body
    .split(/\r?\n/)
    .map((candidate) => candidate.trim())
    .find((candidate) => candidate.length > 3 && !DYNAMIC.test(candidate));
  return {
    takesArguments: /\$ARGUMENTS|\$\d/.test(body),
    ...(line === undefined ? {} : { line: line.slice(0, MAX_LENGTH).trim() }),
  };
}
