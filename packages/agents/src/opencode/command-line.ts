import { type FlagTable, readWords } from '../flags.js';

/** The flags of `opencode run`. */
export const RUN_FLAGS = {
  help: { value: 'none', short: 'h' },
  version: { value: 'none', short: 'v' },
  'print-logs': { value: 'none' },
  'log-level': { value: 'one' },
  pure: { value: 'none' },
  command: { value: 'one' },
  continue: { value: 'none', short: 'c' },
  session: { value: 'one', short: 's' },
  fork: { value: 'none' },
  share: { value: 'none' },
  model: { value: 'one', short: 'm' },
  agent: { value: 'one' },
  format: { value: 'one' },
  file: { value: 'many', short: 'f' },
  title: { value: 'optional' },
  attach: { value: 'one' },
  password: { value: 'one', short: 'p' },
  username: { value: 'one', short: 'u' },
  dir: { value: 'one' },
  port: { value: 'one' },
  variant: { value: 'one' },
  thinking: { value: 'none' },
  interactive: { value: 'none', short: 'i' },
  auto: { value: 'none' },
  'dangerously-skip-permissions': { value: 'none' },
  yolo: { value: 'none' },
  mini: { value: 'none' },
  demo: { value: 'none' },
} as const satisfies FlagTable;

/** The message of a run: the words, what is piped in, or both. */
export function joinMessage(message: string, piped: string): string {
  return [message, piped].filter((part) => part !== '').join('\n');
}

export function promptOf([command, ...words]: readonly string[], stdin: string): string {
  return command === 'run' ? joinMessage(readWords(words, RUN_FLAGS).words.join(' '), stdin) : '';
}
