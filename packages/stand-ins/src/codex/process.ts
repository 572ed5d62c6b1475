import type { Stdin } from '../shared/own-stdin.js';
import type { Streams } from './view.js';

/** How Codex was started. */
export interface CodexProcess {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  stdin: Stdin;
  streams: Streams;
}

/** Ends the run with Codex's own words. */
export class CodexRefusal extends Error {}
