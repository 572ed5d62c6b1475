import { CHAT_FLAGS, readWords } from '@understudy/agents';
import { defined } from '@understudy/kit';

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

export function parseChatOptions(argv: readonly string[]): ChatOptions {
  const { flags, words } = readWords(argv, CHAT_FLAGS);
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
