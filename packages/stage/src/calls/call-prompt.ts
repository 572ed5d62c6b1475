import type { AgentName } from '@understudy/agents';
import { isObject, parseJson } from '@understudy/kit';
import {
  chatInput,
  joinCodexPrompt as joinCodex,
  joinGeminiPrompt as joinGemini,
  joinMessage,
  joinClaudePrompt as joinPrompt,
  parseArguments,
  parseChatOptions,
  parseRunOptions,
  readCodexArguments as readCodex,
  readGeminiArguments as readGemini,
} from '@understudy/stand-ins';

/** The prompt of a call: what the CLI takes for it, from the words after the program's name and from stdin. */
export function promptOfCall(agent: AgentName, words: readonly string[], stdin: string): string {
  try {
    return READERS[agent](words, stdin);
  } catch {
    // The stand-in does not have all flags of the real CLI.
    return guess(words, stdin);
  }
}

function guess(words: readonly string[], stdin: string): string {
  return stdin || (words.findLast((word) => !word.startsWith('-')) ?? '');
}

const READERS: Readonly<Record<AgentName, (words: readonly string[], stdin: string) => string>> = {
  claude(words, stdin) {
    const { positional, flags } = parseArguments(words);
    if (flags.get('--input-format')?.at(-1) === 'stream-json') return streamedPrompt(stdin);
    return joinPrompt(positional[0], stdin);
  },
  opencode([command, ...words], stdin) {
    return command === 'run' ? joinMessage(parseRunOptions(words), stdin) : '';
  },
  codex(words, stdin) {
    const asked = readCodex(words);
    if (asked.kind === 'refused' && words.includes('review'))
      return reviewHint(words.slice(words.indexOf('review') + 1), stdin);
    if (asked.kind !== 'exec') return '';
    const { prompt, resume } = asked.options;
    if (prompt === undefined || prompt === '-') return stdin;
    return resume === undefined ? joinCodex(prompt, stdin) : prompt;
  },
  gemini(words, stdin) {
    return joinGemini(readGemini(words).prompt ?? '', stdin);
  },
  kiro([command, ...words], stdin) {
    return command === 'chat' ? chatInput(parseChatOptions(words), () => stdin) : '';
  },
};

/** What `codex review` shows in place of a prompt. */
function reviewHint(words: readonly string[], stdin: string): string {
  const after = (flag: string): string | undefined => words[words.indexOf(flag) + 1 || words.length];
  const [branch, commit, title] = ['--base', '--commit', '--title'].map(after);
  if (words.includes('--uncommitted')) return 'current changes';
  if (branch !== undefined) return `changes against '${branch}'`;
  if (commit !== undefined) return `commit ${commit}${title === undefined ? '' : `: ${title}`}`;
  const instructions = words.findLast((word) => !word.startsWith('--')) ?? '';
  return instructions === '-' ? stdin : instructions;
}

/** The texts of the user's messages, of which each is a line of JSON. */
function streamedPrompt(stdin: string): string {
  return stdin
    .split('\n')
    .map((line) => parseJson(line))
    .flatMap((line) => (isObject(line) && isObject(line['message']) ? [line['message']['content']] : []))
    .flatMap((content) => (Array.isArray(content) ? content.map((block) => isObject(block) && block['text']) : content))
    .filter((text) => typeof text === 'string')
    .join('\n');
}
