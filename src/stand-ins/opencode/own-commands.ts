import { isObject, type JsonObject } from '../../document/json.js';
import { runShell } from '../shared/tools/shell.js';
import { Unsupported } from './refusal.js';

/** A command of the user or the project. */
export interface OwnCommand {
  template: string;
  agent?: string;
  model?: string;
  /** It is a task for a subagent. */
  subtask?: boolean;
}

/** Commands that OpenCode has of its own. */
const BUILT_IN = ['init', 'review'];

/** The command of a name. Undefined: there is none. */
export function findOwnCommand(name: string, values: JsonObject): OwnCommand | undefined {
  const commands = isObject(values['command']) ? values['command'] : {};
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (isObject(command) && typeof command['template'] === 'string') return command as unknown as OwnCommand;
  if (BUILT_IN.includes(name)) throw new Unsupported(`OpenCode's own command \`${name}\``);
  return undefined;
}

interface Shell {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** The text of a command with its arguments and with what its shell commands print. */
export async function expandCommand({ template }: OwnCommand, args: string, shell: Shell): Promise<string> {
  const words = (args.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((word) => word.replace(/^["']|["']$/g, ''));
  const numbers = [...template.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
  const last = Math.max(0, ...numbers);
  const takesAll = template.includes('$ARGUMENTS');
  const filled = template
    // The last number takes all that is left.
    .replaceAll(/\$(\d+)/g, (_, number: string) =>
      words.slice(Number(number) - 1, Number(number) === last ? undefined : Number(number)).join(' '),
    )
    .replaceAll('$ARGUMENTS', () => args);
  const isIgnored = numbers.length === 0 && !takesAll && args.trim() !== '';
  return (await withOutputs(isIgnored ? `${filled}\n\n${args}` : filled, shell)).trim();
}

async function withOutputs(text: string, shell: Shell): Promise<string> {
  const commands = [...text.matchAll(/!`([^`]+)`/g)].map(([, command]) => command ?? '');
  const outputs = await Promise.all(commands.map((command) => printed(command, shell)));
  return text.replaceAll(/!`[^`]+`/g, () => outputs.shift() ?? '');
}

/** Only what it prints to stdout counts. */
async function printed(command: string, { cwd, env }: Shell): Promise<string> {
  const { output } = await runShell(`{ ${command}\n} 2>/dev/null`, { cwd, env });
  return output;
}
