import { spawnSync } from 'node:child_process';
import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readMarkdown } from './front-matter.js';

/** A command or a skill that a user can call with a slash. */
export interface CommandDefinition {
  /** As it is typed, with its plugin: `agent-loop:explore`. */
  name: string;
  kind: 'command' | 'skill';
  source: 'plugin' | 'project' | 'user';
  description: string;
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
export async function loadCommands(root: string, origin: CommandsOrigin): Promise<CommandDefinition[]> {
  const commands = listMarkdown(join(root, 'commands')).map((file) => ({ file, kind: 'command' as const }));
  const skills = listFolders(join(root, 'skills'))
    .map((name) => join(root, 'skills', name, 'SKILL.md'))
    .filter((file) => existsSync(file))
    .map((file) => ({ file, kind: 'skill' as const }));
  return Promise.all(
    [...commands, ...skills].map(async ({ file, kind }) => {
      const { meta, body } = await readMarkdown(readFileSync(file, 'utf8'));
      const text = (key: string): string => (meta[key] === undefined ? '' : String(meta[key]));
      const own = kind === 'skill' ? text('name') || basename(dirname(file)) : commandName(root, file);
      return {
        name: origin.prefix === undefined ? own : `${origin.prefix}:${own}`,
        kind,
        source: origin.source,
        description: text('description'),
        argumentHint: text('argument-hint'),
        body: body.replace(/^\r?\n/, ''),
        allowedTools: readToolList(meta['allowed-tools']),
        ...(kind === 'skill' ? { folder: dirname(file) } : {}),
        ...(origin.pluginRoot === undefined ? {} : { pluginRoot: origin.pluginRoot }),
      };
    }),
  );
}

/** A list, or a text with commas; a comma in parentheses belongs to the rule. */
function readToolList(value: unknown): string[] {
  const texts = Array.isArray(value) ? value.map(String) : String(value ?? '').split(/,(?![^(]*\))/);
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** A command in a folder below `commands/` is named after both: `sub:deep`. */
function commandName(root: string, file: string): string {
  return file.slice(join(root, 'commands').length + 1, -'.md'.length).replaceAll('/', ':');
}

/**
 * What a command expands to. `$ARGUMENTS` is all of its arguments and `$0`, `$1` … are single ones;
 * a body that mentions none gets them at its end. Lines in !`…` are run by the shell.
 */
export function expandCommand(command: CommandDefinition, args: string, cwd: string, env: NodeJS.ProcessEnv): string {
  const words = args.split(/\s+/).filter((word) => word !== '');
  const asksForArguments = /\$ARGUMENTS|\$\d/.test(command.body);
  let body = command.body
    .replace(/\$ARGUMENTS\[(\d+)\]/g, (_, at: string) => words[Number(at)] ?? '')
    .replaceAll('$ARGUMENTS', () => args)
    .replace(/\$(\d+)/g, (_, at: string) => words[Number(at)] ?? '');
  if (!asksForArguments && args !== '') body = `${body}\n\nARGUMENTS: ${args}`;
  if (command.pluginRoot !== undefined) body = body.replaceAll('${CLAUDE_PLUGIN_ROOT}', command.pluginRoot);
  body = body.replace(/!`([^`]+)`/g, (_, line: string) => runForText(line, cwd, env));
  return command.folder === undefined ? body : `Base directory for this skill: ${command.folder}\n\n${body}`;
}

function runForText(line: string, cwd: string, env: NodeJS.ProcessEnv): string {
  const { stdout, stderr } = spawnSync('/bin/bash', ['-c', line], { cwd, env, encoding: 'utf8', timeout: 60_000 });
  return `${stdout ?? ''}${stderr ?? ''}`.trimEnd();
}

function listMarkdown(folder: string): string[] {
  return list(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listMarkdown(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

function listFolders(folder: string): string[] {
  return list(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
