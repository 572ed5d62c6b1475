import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UnderstudyError } from '../errors.js';
import type { DeclaredHook, DeclaredPlugin, DeclaredText } from '../plugins/declared/component.js';
import { readPlugin } from '../plugins/declared/plugin.js';
import { readCommandBody } from './command-body.js';
import { type CommandToTry, rehearsalText } from './rehearsal-text.js';

/** What came of it. */
export interface Scaffolded {
  plugin: string;
  /** The rehearsal, from the current folder. */
  file: string;
  /** The commands that it tries. */
  commands: string[];
  /** Commands that cannot load, and why: these are left out. */
  leftOut: { name: string; reason: string; fix: string }[];
  written: string[];
}

/** By any of these a folder is taken for a plugin. */
const SIGNS = ['.claude-plugin/plugin.json', 'commands', 'skills', 'agents', 'hooks/hooks.json', '.mcp.json'];
const RUN_FOLDER_LINE = '.understudy/';

/** Writes a first rehearsal for the plugin in a folder, and lets git ignore what runs leave behind. */
export function scaffoldRehearsal(folder: string, { force = false } = {}): Scaffolded {
  const plugin = readPluginIn(folder);
  const file = join(folder, 'rehearsals', `${plugin.name.replace(/[^\w.-]+/g, '-')}.rehearsal.toml`);
  if (existsSync(file) && !force) {
    throw new UnderstudyError('SCAFFOLD_EXISTS', `${file} is there already`, {
      fix: `Run it: understudy run ${file}. To write it anew, add --force.`,
    });
  }
  const declared = plugin.components.filter((part): part is DeclaredText => part.kind === 'command');
  const commands = declared.filter(({ trouble }) => trouble === undefined).map((text) => commandToTry(plugin, text));
  const hooks = plugin.components.filter(
    (part): part is DeclaredHook => part.kind === 'hook' && part.trouble === undefined,
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
    leftOut: declared.flatMap(({ names: [name = ''], trouble }) =>
      trouble === undefined ? [] : [{ name, ...trouble }],
    ),
    written: [file, ...ignoreRuns(folder)],
  };
}

function readPluginIn(folder: string): DeclaredPlugin {
  const root = resolve(folder);
  if (!SIGNS.some((sign) => existsSync(join(root, sign)))) {
    const isMarketplace = existsSync(join(root, '.claude-plugin', 'marketplace.json'));
    throw new UnderstudyError('SCAFFOLD_NO_PLUGIN', `there is no plugin in ${root}`, {
      fix: isMarketplace
        ? 'This is a marketplace: name the folder of one of its plugins, as in understudy init plugins/NAME.'
        : 'Go to the folder that holds .claude-plugin/plugin.json or commands/, or name it: understudy init FOLDER.',
    });
  }
  const plugin = readPlugin(root);
  const [trouble] = plugin.troubles;
  if (trouble === undefined) return plugin;
  throw new UnderstudyError('SCAFFOLD_BROKEN_PLUGIN', trouble.reason, { fix: trouble.fix, place: { file: root } });
}

function commandToTry({ root, name: plugin }: DeclaredPlugin, { names, file }: DeclaredText): CommandToTry {
  const [name = basename(file, '.md')] = names;
  return { name: `${plugin}:${name}`, ...readCommandBody(join(root, file)) };
}

/** Adds a line to .gitignore where it is not there yet. */
function ignoreRuns(folder: string): string[] {
  const file = join(folder, '.gitignore');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const known = text.split(/\r?\n/).map((line) => line.trim().replace(/^\//, '').replace(/\/$/, ''));
  if (known.includes('.understudy')) return [];
  appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${RUN_FOLDER_LINE}\n`);
  return [file];
}
