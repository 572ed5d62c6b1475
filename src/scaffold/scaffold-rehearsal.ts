import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UnderstudyError } from '../errors.js';
import type { DeclaredHook, DeclaredPlugin, DeclaredText } from '../plugins/declared/component.js';
import { readPlugin } from '../plugins/declared/plugin.js';
import { readCommandBody } from './command-body.js';
import { type CommandToSend, rehearsalText } from './rehearsal-text.js';

/** The result of `understudy init`. */
export interface Scaffolded {
  plugin: string;
  /** The path of the rehearsal, relative to the current folder. */
  file: string;
  /** The commands that the rehearsal sends. */
  commands: string[];
  /** Commands that cannot load, with the reason. The rehearsal does not send them. */
  skipped: { name: string; reason: string; fix: string }[];
  written: string[];
}

/** A folder with one of these is a plugin. */
const PLUGIN_FILES = ['.claude-plugin/plugin.json', 'commands', 'skills', 'agents', 'hooks/hooks.json', '.mcp.json'];
const IGNORED_FOLDER = '.understudy/';

/** Writes a first rehearsal for the plugin in a folder, and adds the folder of run artifacts to .gitignore. */
export function scaffoldRehearsal(folder: string, { force = false } = {}): Scaffolded {
  const plugin = readPluginIn(folder);
  const file = join(folder, 'rehearsals', `${plugin.name.replace(/[^\w.-]+/g, '-')}.rehearsal.toml`);
  if (existsSync(file) && !force) {
    throw new UnderstudyError('SCAFFOLD_EXISTS', `${file} exists`, {
      fix: `Run it with: understudy run ${file}. To overwrite it, add --force.`,
    });
  }
  const declared = plugin.components.filter((part): part is DeclaredText => part.kind === 'command');
  const commands = declared.filter(({ issue }) => issue === undefined).map((text) => commandToSend(plugin, text));
  const hooks = plugin.components.filter(
    (part): part is DeclaredHook => part.kind === 'hook' && part.issue === undefined,
  );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    rehearsalText({
      plugin: plugin.name,
      path: '..',
      commands,
      toolHooks: hooks.filter(({ event }) => event === 'PreToolUse' || event === 'PostToolUse'),
      hasPromptHook: hooks.some(({ event }) => event === 'UserPromptSubmit'),
    }),
  );
  return {
    plugin: plugin.name,
    file,
    commands: commands.map(({ name }) => name),
    skipped: declared.flatMap(({ names: [name = ''], issue }) => (issue === undefined ? [] : [{ name, ...issue }])),
    written: [file, ...addToGitignore(folder)],
  };
}

function readPluginIn(folder: string): DeclaredPlugin {
  const root = resolve(folder);
  if (!PLUGIN_FILES.some((path) => existsSync(join(root, path)))) {
    const isMarketplace = existsSync(join(root, '.claude-plugin', 'marketplace.json'));
    throw new UnderstudyError('SCAFFOLD_NO_PLUGIN', `there is no plugin in ${root}`, {
      fix: isMarketplace
        ? 'Name the folder of one plugin of this marketplace, such as: understudy init plugins/NAME.'
        : 'Go to the folder with .claude-plugin/plugin.json or commands/, or name it: understudy init FOLDER.',
    });
  }
  const plugin = readPlugin(root);
  const [issue] = plugin.issues;
  if (issue === undefined) return plugin;
  throw new UnderstudyError('SCAFFOLD_BROKEN_PLUGIN', issue.reason, { fix: issue.fix, location: { file: root } });
}

function commandToSend({ root, name: plugin }: DeclaredPlugin, { names, file }: DeclaredText): CommandToSend {
  const [name = basename(file, '.md')] = names;
  return { name: `${plugin}:${name}`, ...readCommandBody(join(root, file)) };
}

/** Adds a line to .gitignore if it is not there yet, and returns the changed file. */
function addToGitignore(folder: string): string[] {
  const file = join(folder, '.gitignore');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const known = text.split(/\r?\n/).map((line) => line.trim().replace(/^\//, '').replace(/\/$/, ''));
  if (known.includes('.understudy')) return [];
  appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${IGNORED_FOLDER}\n`);
  return [file];
}
