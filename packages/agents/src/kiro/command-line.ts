import { type FlagTable, readWords } from '../flags.js';

/** The flags of `kiro-cli chat` that make sense without a terminal. */
export const CHAT_FLAGS: FlagTable = {
  'no-interactive': { value: 'none' },
  'trust-all-tools': { value: 'none', short: 'a' },
  'trust-tools': { value: 'one' },
  agent: { value: 'one' },
  model: { value: 'one' },
  resume: { value: 'none', short: 'r' },
  'resume-id': { value: 'one' },
  'require-mcp-startup': { value: 'none' },
  wrap: { value: 'one', short: 'w' },
  verbose: { value: 'none', short: 'v' },
};

/** What the user says in a chat: the words, else what is piped in. */
export function chatInput(words: string, readPiped: () => string): string {
  return words === '' ? readPiped() : words;
}

export function promptOf([command, ...words]: readonly string[], stdin: string): string {
  return command === 'chat' ? chatInput(readWords(words, CHAT_FLAGS).words.join(' '), () => stdin) : '';
}
