import { nearestWord } from '@understudy/kit';
import { parseSlashCommand, type SlashCommand } from '@understudy/script';

/** A slash command on its way to the CLI. */
export interface TypedCommand {
  /** As the user typed it. */
  typed: string;
  command: SlashCommand;
  /** What is sent instead, when the short name has one owner. */
  sent: string;
  similar: string[];
}

/**
 * Reads a slash command and gives a plugin's command its full name. In the terminal the CLI's menu
 * does that; headless it takes full names alone, and treats `/explore` as plain text.
 */
export function readTypedCommand(text: string, known: readonly string[]): TypedCommand | undefined {
  const command = parseSlashCommand(text);
  if (command === undefined) return undefined;
  const typed = `/${command.name}`;
  const names = known.map((name) => name.replace(/^\//, ''));
  if (names.includes(command.name)) return { typed, command, sent: text, similar: [] };
  const owners = names.filter((name) => name.endsWith(`:${command.name}`));
  const [owner] = owners;
  if (owners.length === 1 && owner !== undefined) {
    const full = { name: owner, args: command.args };
    return { typed, command: full, sent: `/${owner}${command.args === '' ? '' : ` ${command.args}`}`, similar: [] };
  }
  const near = owners.length > 0 ? owners : nearNames(command.name, names);
  return { typed, command, sent: text, similar: near };
}

/** A misspelt name is compared with short names, because that is what people type; so is one of another plugin. */
function nearNames(typed: string, names: readonly string[]): string[] {
  const short = shortName(typed);
  const same = typed === short ? [] : names.filter((name) => name !== short && shortName(name) === short);
  if (same.length > 0) return same;
  const shortened = new Map(names.map((name) => [shortName(name), name]));
  const near = nearestWord(short, [...shortened.keys()]);
  const full = near === undefined ? undefined : shortened.get(near);
  return full === undefined ? [] : [full];
}

function shortName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}
