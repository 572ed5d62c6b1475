import { dirname } from 'node:path';
import { defined, isObject, type JsonObject, readIfThere } from '@understudy/kit';
import { argumentWords } from './argument-words.js';
import { byName } from './by-name.js';
import { type FrontMatter, readFrontMatter, textField, toolListField } from './front-matter.js';
import type { PluginOrigin } from './plugin-origin.js';
import { type ComponentFile, commandFiles, componentNames, skillFiles } from './plugins/components.js';
import { fillGiven, pluginVariables } from './variables.js';

/** A command or a skill that a user can call with a slash. */
export interface CommandDefinition {
  /** As it is typed, with its plugin: `agent-loop:explore`. */
  name: string;
  /** Other names under which it can be typed. */
  aliases?: string[];
  /** The one of them that a host receives as its name. */
  shownName?: string;
  /** The one of them that the model sees, too. */
  listedAlias?: string;
  /** A skill without a description is a command only: the model does not see it. */
  kind: 'command' | 'skill';
  source: 'plugin' | 'project' | 'user';
  description: string;
  /** Only the user can call it. */
  hidden?: true;
  /** Only the model can call it. */
  isForModel?: true;
  /** The model and the effort of a turn in which the user calls it. */
  model?: string;
  effort?: string;
  /** It runs in a subagent of its own: that of this name, if there is one. */
  forked?: { agent?: string };
  /** Its description for the model; absent where there is none. */
  advertised?: string;
  argumentHint: string;
  /** Names for its single arguments, in their order: `$name`. */
  argumentNames?: string[];
  body: string;
  /** Tools that it may use unasked, as rules: `Bash(git add:*)`. */
  allowedTools: string[];
  /** It has hooks that run from then on. The CLI takes them from skills, and from commands outside of plugins. */
  hasHooks?: true;
  /** A skill receives the path of its folder. */
  folder?: string;
  plugin?: PluginOrigin;
}

export interface CommandsOrigin {
  source: CommandDefinition['source'];
  /** Its name is put before that of every command. */
  plugin?: PluginOrigin;
}

/** The commands and skills of a folder that holds `commands/` and `skills/`. */
export function loadCommands(root: string, origin: CommandsOrigin): CommandDefinition[] {
  const commands = commandFiles(root, {}).sort((a, b) => byName(a.name, b.name));
  const files = [...commands, ...skillFiles(root, { skills: [] })];
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
  const description = textField({ fields: entry }, 'description');
  return description === undefined ? command : { ...command, description, advertised: description };
}

/** The model's description of a command or skill. One of a plugin that does not say what it is for is not mentioned. */
function advertisement(matter: FrontMatter, { source }: CommandsOrigin): string | undefined {
  if (isHidden(matter)) return undefined;
  const description = textField(matter, 'description');
  const when = textField(matter, 'when_to_use');
  if (source === 'plugin' && description === undefined && when === undefined) return undefined;
  const purpose = description ?? firstLine(matter.body);
  return oneLine(when === undefined ? purpose : `${purpose} - ${when}`);
}

/** The CLI puts a space where lines of a description end, and keeps what else is between them. */
function oneLine(text: string): string {
  return text.replace(/[\t\r\n]+/g, ' ');
}

function isHidden(matter: FrontMatter): boolean {
  return textField(matter, 'disable-model-invocation') === 'true';
}

function firstLine(body: string): string {
  const line = body.split('\n').find((one) => one.trim() !== '') ?? '';
  return line.trim().replace(/^#+\s+/, '');
}

function define(component: ComponentFile, text: string, origin: CommandsOrigin): CommandDefinition {
  const matter = readFrontMatter(text);
  // A command outside of a plugin has the name of its file, and no other.
  const isPlain = component.kind === 'command' && origin.plugin === undefined;
  const { name, title, alias } = isPlain ? { name: component.name } : componentNames(component, matter);
  const full = (short: string): string => (origin.plugin === undefined ? short : `${origin.plugin.name}:${short}`);
  const also = [title, alias === undefined ? undefined : full(alias)].flatMap((one) => one ?? []);
  const aliases = [...new Set(also)].filter((one) => one !== full(name));
  const description = oneLine(textField(matter, 'description') ?? '');
  const isSkill = component.kind === 'skill';
  const names = toolListField(matter, 'arguments');
  const model = textField(matter, 'model');
  return {
    name: full(name),
    ...(aliases.length === 0 ? {} : { aliases, shownName: full(alias ?? name) }),
    ...defined({ listedAlias: listedAlias(component, full(alias ?? name), origin) }),
    kind: isSkill && description !== '' ? 'skill' : 'command',
    source: origin.source,
    description,
    ...(isHidden(matter) ? { hidden: true as const } : {}),
    ...(textField(matter, 'user-invocable') === 'false' ? { isForModel: true as const } : {}),
    ...(model === undefined || model === 'inherit' ? {} : { model }),
    ...defined({ effort: textField(matter, 'effort') }),
    ...(textField(matter, 'context') === 'fork' ? { forked: defined({ agent: textField(matter, 'agent') }) } : {}),
    ...defined({ advertised: advertisement(matter, origin) }),
    argumentHint: textField(matter, 'argument-hint') ?? '',
    ...(names.length === 0 ? {} : { argumentNames: names }),
    body: matter.body,
    allowedTools: toolListField(matter, 'allowed-tools'),
    ...(isObject(matter.fields['hooks']) && (isSkill || isPlain) ? { hasHooks: true as const } : {}),
    ...(isSkill ? { folder: dirname(component.file) } : {}),
    ...defined({ plugin: origin.plugin }),
  };
}

/** The name that its file gives it, where that is another one. Commands of user and project are listed without it. */
function listedAlias({ kind, name }: ComponentFile, alias: string, { plugin }: CommandsOrigin): string | undefined {
  if (plugin === undefined && kind === 'command') return undefined;
  const own = plugin === undefined ? alias : alias.replace(`${plugin.name}:${plugin.name}:`, `${plugin.name}:`);
  const isSame = own === (plugin === undefined ? name : `${plugin.name}:${name}`);
  return isSame || !/^[\w.:-]+$/.test(own) ? undefined : own;
}

/** The variables that the CLI fills in for a command, in its text and in the rules of its allowed tools. */
export function commandVariables(
  { folder, plugin }: Pick<CommandDefinition, 'folder' | 'plugin'>,
  configFolder: string,
  projectDir: string,
): Record<string, string> {
  return {
    CLAUDE_PROJECT_DIR: projectDir,
    ...defined({ CLAUDE_SKILL_DIR: folder }),
    ...(plugin === undefined ? {} : pluginVariables(plugin, configFolder, projectDir)),
  };
}

/** Runs a line of the shell, and gives what it wrote. `pattern` is how the command has it. Throws `ShellLineError`. */
export type RunLine = (line: string, pattern: string) => string;

/** A line of a command was not allowed, or failed: the real CLI then gives up the command. */
export class ShellLineError extends Error {}

/**
 * What a command expands to. `$ARGUMENTS` is all of its arguments and `$0`, `$1` … are single ones; one that is not there
 * stays as it is written, unless it has a name. A body that none of them changes gets the arguments at its end. What is in !`…`, or in a fenced block that begins with !, is run by the
 * shell. `variables` are filled in where the text has them as `${NAME}`.
 */
export function expandSlashCommand(
  command: CommandDefinition,
  args: string,
  run: RunLine,
  variables: Record<string, string> = {},
): string {
  const words = argumentWords(args);
  const names = command.argumentNames ?? [];
  let body = command.body
    .replace(/\$(\w+)/g, (whole, name: string) => (names.includes(name) ? (words[names.indexOf(name)] ?? '') : whole))
    .replace(/\$ARGUMENTS\[(\d+)\]/g, (whole, at: string) => words[Number(at)] ?? whole)
    .replace(/\$ARGUMENTS(?!\[\d+\])/g, () => args)
    .replace(/\$(\d+)(?!\w)/g, (whole, at: string) => words[Number(at)] ?? whole);
  if (body === command.body && args !== '') body = `${body}\n\nARGUMENTS: ${args}`;
  // What one of them prints is not looked at again.
  body = fillGiven(body, variables).replace(
    /```!\s*\n?([\s\S]*?)\n?```|(?<=^|\s)!`([^`]+)`/g,
    (pattern, script: string | undefined, line: string) => run(script?.trim() ?? line, pattern),
  );
  return command.folder === undefined ? body : `Base directory for this skill: ${command.folder}\n\n${body}`;
}
