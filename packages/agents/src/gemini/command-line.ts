import { type FlagTable, readWords } from '../flags.js';

export const GEMINI_FLAGS = {
  debug: { value: 'none', short: 'd' },
  model: { value: 'one', short: 'm' },
  prompt: { value: 'one', short: 'p' },
  'prompt-interactive': { value: 'one', short: 'i' },
  'skip-trust': { value: 'none' },
  worktree: { value: 'optional', short: 'w' },
  sandbox: { value: 'none', short: 's' },
  yolo: { value: 'none', short: 'y' },
  'approval-mode': { value: 'one' },
  policy: { value: 'one' },
  'admin-policy': { value: 'one' },
  acp: { value: 'none' },
  'experimental-acp': { value: 'none' },
  'allowed-mcp-server-names': { value: 'each' },
  'allowed-tools': { value: 'each' },
  extensions: { value: 'one', short: 'e' },
  'list-extensions': { value: 'none', short: 'l' },
  resume: { value: 'optional', short: 'r' },
  'session-file': { value: 'one' },
  'session-id': { value: 'one' },
  'list-sessions': { value: 'none' },
  'delete-session': { value: 'one' },
  'include-directories': { value: 'each' },
  'screen-reader': { value: 'none' },
  'output-format': { value: 'one', short: 'o' },
  'raw-output': { value: 'none' },
  'accept-raw-output-risk': { value: 'none' },
  version: { value: 'none', short: 'v' },
  help: { value: 'none', short: 'h' },
} as const satisfies FlagTable;

/** What is piped in comes before the prompt. */
export function joinPrompt(prompt: string, piped: string): string {
  if (piped === '' || prompt === '') return piped === '' ? prompt : piped;
  return `${piped}\n\n${prompt}`;
}

export function promptOf(argv: readonly string[], stdin: string): string {
  const { flags, words } = readWords(argv, GEMINI_FLAGS);
  const prompt = flags.get('prompt');
  return joinPrompt(typeof prompt === 'string' ? prompt : words.join(' '), stdin);
}
