import { defined } from '@understudy/kit';
import { type FlagTable, parseArguments } from '../shared/flags.js';

/** The options of `kiro-cli chat`. */
export interface ChatOptions {
  input: string;
  interactive: boolean;
  trustAll: boolean;
  trusted: readonly string[];
  agent?: string;
  model?: string;
  resume: boolean;
  resumeId?: string;
  requireMcp: boolean;
}

/** The flags of `kiro-cli chat` that make sense without a terminal. */
const TABLE: FlagTable = {
  flags: {
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
  },
};

export function parseChatOptions(argv: readonly string[]): ChatOptions {
  const { flags, words } = parseArguments(argv, TABLE);
  const text = (name: string) => {
    const value = flags.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  return defined({
    input: words.join(' '),
    interactive: !flags.has('no-interactive'),
    trustAll: flags.has('trust-all-tools'),
    trusted: (text('trust-tools') ?? '').split(',').filter((tool) => tool !== ''),
    agent: text('agent'),
    model: text('model'),
    resume: flags.has('resume'),
    resumeId: text('resume-id'),
    requireMcp: flags.has('require-mcp-startup'),
  });
}

/** What the user says in a chat: the words, else what is piped in. */
export function chatInput({ input }: Pick<ChatOptions, 'input'>, readPiped: () => string): string {
  return input === '' ? readPiped() : input;
}
