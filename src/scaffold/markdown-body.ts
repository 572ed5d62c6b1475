import { readFileSync } from 'node:fs';
import { readAgentSettings, readFrontMatter, textField, withMemoryTools } from '@understudy/agents';
import { defined } from '@understudy/kit';

/** Parts of a text that change: arguments, shell lines, files, variables. */
const DYNAMIC = /[$`@]|!\s*`/;
const ARGUMENTS = /\$ARGUMENTS(?!\w|\[)/;
const TAKES_ARGUMENTS = /\$ARGUMENTS|\$\d/;
/** What the shell gets, in a line or a block. */
const SHELL = /```!\s[\s\S]*?```|!`[^`]*`/g;
/** `[SESSION_ID]`: it works without. */
const OPTIONAL = /^\[[^\]]*\]$/;
const MAX_LENGTH = 80;

/** What the rehearsal sends as the arguments of a command. */
export const EXAMPLE_ARGUMENTS = 'the example';

/** What the scaffold needs to know of the text of a command, skill or agent. */
export interface MarkdownBody {
  takesArguments: boolean;
  /** A line that the model gets unchanged. */
  line?: string;
  /** A line with the example arguments filled in. */
  lineWithArguments?: string;
  /** A skill that works in a subagent of its own. */
  isForked: boolean;
  /** An agent for which nobody waits, whatever the call says. */
  isInBackground?: boolean;
  /** An agent with a memory has the tools for that, whatever its list says. */
  toolsOfMemory?: string[];
}

export function readMarkdownBody(file: string): MarkdownBody {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return { takesArguments: false, isForked: false };
  }
  const matter = readFrontMatter(text);
  const lines = matter.body
    .split(/\r?\n/)
    .map((candidate) => candidate.trim())
    .filter((candidate) => candidate.length > 3);
  const line = lines.find((candidate) => !DYNAMIC.test(candidate));
  const withArguments = lines.find(
    (candidate) => ARGUMENTS.test(candidate) && !DYNAMIC.test(candidate.replace(ARGUMENTS, '')),
  );
  return {
    takesArguments: takesArguments(matter.body, textField(matter, 'argument-hint')),
    ...defined({ line: line?.slice(0, MAX_LENGTH).trim() }),
    ...(withArguments === undefined ? {} : { lineWithArguments: fillIn(withArguments) }),
    isForked: textField(matter, 'context') === 'fork',
    isInBackground: readAgentSettings(matter.fields, 'plugin').background === true,
    toolsOfMemory: withMemoryTools([], matter.fields) ?? [],
  };
}

/** The arguments and the words around them. */
function fillIn(line: string): string {
  const start = Math.max(0, line.search(ARGUMENTS) - MAX_LENGTH / 2);
  return line.slice(start).replace(ARGUMENTS, EXAMPLE_ARGUMENTS).slice(0, MAX_LENGTH).trim();
}

/** A program may refuse our example, so it gets none where it needs none. */
function takesArguments(body: string, hint = ''): boolean {
  const isForShell = !TAKES_ARGUMENTS.test(body.replace(SHELL, ''));
  return TAKES_ARGUMENTS.test(body) && !(isForShell && OPTIONAL.test(hint.trim()));
}
