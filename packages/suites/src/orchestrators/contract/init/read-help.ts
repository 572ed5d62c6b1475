import { type AgentName, agentNames } from '@understudy/agents';
import { defined } from '@understudy/kit';

/** How values are handed on to an orchestrator: words of its command line, with placeholders. */
export interface Answers {
  prompt?: string;
  iterations?: string;
  backend?: string;
  deadline?: string;
  promise?: string;
  agents: AgentName[];
  /** What the agent says when the work is done, where that is not handed on. */
  promiseText?: string;
}

const FLAG = /(?<![\w-])--[a-z][\w-]*/gi;

/** What the help of a program says about its flags. What it does not say stays out. */
export function readHelp(help: string): Answers {
  const flags = readFlags(help);
  const flagLike = (name: RegExp) => [...flags.keys()].find((flag) => name.test(flag));
  const withValue = (name: RegExp, placeholder: string) => {
    const flag = flagLike(name);
    return flag === undefined ? undefined : `${flag} {{${placeholder}}}`;
  };
  const agents = agentNames.filter((agent) => new RegExp(`(?<![\\w./])${agent}(?![\\w/])`, 'i').test(help));
  return {
    agents: agents.length === 0 ? ['claude'] : agents,
    ...defined({
      prompt: promptIn(help, flags),
      iterations: withValue(/^--(?:max-iter(?:ation)?s?|iterations?|max-loops?|loops?|limit|max)$/, 'iterations'),
      backend:
        withValue(/^--(?:agents?|provider|backend|engine|cli|tool)$/, 'agent') ??
        (agents.length > 0 && agents.every((agent) => flags.has(`--${agent}`)) ? '--{{agent}}' : undefined),
      deadline: withValue(/^--(?:(?:agent-|iteration-)?timeout|deadline|max-runtime|max-time)$/, 'deadline'),
      promise: withValue(/^--(?:completion-)?(?:promise|signal)$/, 'promise'),
      promiseText: /\b[A-Z]+_COMPLETE\b/.exec(help)?.[0],
    }),
  };
}

function promptIn(help: string, flags: ReadonlyMap<string, string>): string | undefined {
  if (flags.has('--prompt-file')) return '--prompt-file {{prompt_file}}';
  const usage = /^\s*usage:[^\n]*(?:\n[ \t]+[^\n]*)*/im.exec(help)?.[0] ?? '';
  if (/(?<![-\w])[[<{]?(?:prompt|task)[\]>}]?(?:\.\.\.)?\s*$/i.test(usage.trimEnd())) return '{{prompt}}';
  const flag = [...flags.keys()].find((name) => /^--(?:prompt(?:-text|-path)?|task|message|intent)$/.test(name));
  if (flag === undefined) return undefined;
  return `${flag} {{${/\b(?:file|path)\b/i.test(flags.get(flag) ?? '') ? 'prompt_file' : 'prompt'}}}`;
}

/** Each flag with its description: the text up to the next line that has one. */
function readFlags(help: string): Map<string, string> {
  const flags = new Map<string, string>();
  let last: string[] = [];
  for (const line of help.replace(/[│┃|]/g, ' ').split('\n')) {
    const found = /^\s*-/.test(line) ? (line.match(FLAG) ?? []) : [];
    if (found.length > 0) last = found;
    for (const flag of last) flags.set(flag, `${flags.get(flag) ?? ''} ${line}`);
    if (line.trim() === '') last = [];
  }
  return flags;
}
