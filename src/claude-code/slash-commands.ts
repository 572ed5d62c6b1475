import { dirname } from 'node:path';
import { type JsonObject, readIfThere } from '../document/json.js';
import { readFrontMatter, textField, toolListField } from './front-matter.js';
import { type ComponentFile, commandFiles, componentNames, skillFiles } from './plugins/components.js';

/** A command or a skill that a user can call with a slash. */
export interface CommandDefinition {
  /** As it is typed, with its plugin: `agent-loop:explore`. */
  name: string;
  /** Other names under which it can be typed. */
  aliases?: string[];
  /** A skill without a description is a command only: the model is not told of it. */
  kind: 'command' | 'skill';
  source: 'plugin' | 'project' | 'user';
  description: string;
  /** Only the user can call it: the model is not told of it. */
  hidden?: true;
  argumentHint: string;
  body: string;
  /** Tools that it may use unasked, as rules: `Bash(git add:*)`. */
  allowedTools: string[];
  /** A skill is told where it lives. */
  folder?: string;
  pluginRoot?: string;
}

export interface CommandsOrigin {
  source: CommandDefinition['source'];
  /** Put before every name. */
  prefix?: string;
  pluginRoot?: string;
}

/** The commands and skills of a folder that holds `commands/` and `skills/`. */
export function loadCommands(root: string, origin: CommandsOrigin): CommandDefinition[] {
  const files = [...commandFiles(root, {}), ...skillFiles(root, { skills: [] })];
  return files.flatMap((file) => readCommand(file, origin) ?? []);
}

/** Reads a command or skill; nothing where there is no such file. */
export function readCommand(component: ComponentFile, origin: CommandsOrigin): CommandDefinition | undefined {
  const text = readIfThere(component.file);
  return text === undefined ? undefined : define(component, text, origin);
}

/** A command whose text stands in the manifest. */
export function defineInline(name: string, text: string, entry: JsonObject, origin: CommandsOrigin): CommandDefinition {
  const command = define({ kind: 'command', file: '', name, prefix: '' }, text, origin);
  return { ...command, description: textField({ fields: entry }, 'description') ?? command.description };
}

function define(component: ComponentFile, text: string, origin: CommandsOrigin): CommandDefinition {
  const matter = readFrontMatter(text);
  const { name, title, alias } = componentNames(component, matter);
  const full = (short: string): string => (origin.prefix === undefined ? short : `${origin.prefix}:${short}`);
  const also = [title, alias === undefined ? undefined : full(alias)].flatMap((one) => one ?? []);
  const aliases = [...new Set(also)].filter((one) => one !== full(name));
  const description = textField(matter, 'description') ?? '';
  const isSkill = component.kind === 'skill';
  return {
    name: full(name),
    ...(aliases.length === 0 ? {} : { aliases }),
    kind: isSkill && description !== '' ? 'skill' : 'command',
    source: origin.source,
    description,
    ...(textField(matter, 'disable-model-invocation') === 'true' ? { hidden: true as const } : {}),
    argumentHint: textField(matter, 'argument-hint') ?? '',
    body: matter.body,
    allowedTools: toolListField(matter, 'allowed-tools'),
    ...(isSkill ? { folder: dirname(component.file) } : {}),
    ...(origin.pluginRoot === undefined ? {} : { pluginRoot: origin.pluginRoot }),
  };
}

/** Runs a line of the shell, and gives what it wrote. */
export type RunLine = (line: string) => string;

/**
 * What a command expands to. `$ARGUMENTS` is all of its arguments and `$0`, `$1` … are single ones;
 * a body that mentions none gets them at its end. What is in !`…` is run by the shell.
 */
export function expandCommand(command: CommandDefinition, args: string, run: RunLine): string {
  const words = args.split(/\s+/).filter((word) => word !== '');
  const asksForArguments = /\$ARGUMENTS|\$\d/.test(command.body);
  let body = command.body
    .replace(/\$ARGUMENTS\[(\d+)\]/g, (_, at: string) => words[Number(at)] ?? '')
    .replaceAll('$ARGUMENTS', () => args)
    .replace(/\$(\d+)/g, (_, at: string) => words[Number(at)] ?? '');
  if (!asksForArguments && args !== '') body = `${body}\n\nARGUMENTS: ${args}`;
  if (command.pluginRoot !== undefined) body = body.replaceAll('${CLAUDE_PLUGIN_ROOT}', command.pluginRoot);
  body = body.replace(/!`([^`]+)`/g, (_, line: string) => run(line));
  return command.folder === undefined ? body : `Base directory for this skill: ${command.folder}\n\n${body}`;
}
