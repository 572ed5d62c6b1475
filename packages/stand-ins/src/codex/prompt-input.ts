import { joinCodexPrompt } from '@understudy/agents';
import type { Stdin } from '../shared/own-stdin.js';
import type { ExecOptions } from './options.js';
import { Refusal } from './process.js';
import type { Streams } from './view.js';

/** The prompt of the command line, of stdin, or of both. */
export function readPrompt({ prompt, resume }: ExecOptions, stdin: Stdin, { error }: Streams): string {
  const fromStdin = prompt === undefined || prompt === '-';
  if (!fromStdin && resume !== undefined) return prompt;
  if (prompt === undefined && !stdin.isTerminal) error('Reading prompt from stdin...\n');
  if (!fromStdin && !stdin.isTerminal) error('Reading additional input from stdin...\n');
  const piped = stdin.read();
  if (!fromStdin) return joinCodexPrompt(prompt, piped);
  if (piped.trim() === '') throw new Refusal('No prompt provided via stdin.');
  return piped;
}
