import { dirname, join, resolve } from 'node:path';
import { CliError } from '../../../claude-code/cli-error.js';
import { type ConfigPaths, configPaths } from '../../../claude-code/config-paths.js';
import { jsonComplaint } from '../../../claude-code/json-complaint.js';
import { MARKETPLACE_FILE } from '../../../claude-code/plugins/layout.js';
import { kindOf } from '../../../claude-code/plugins/tree.js';
import { kindOfValue } from '../../../claude-code/shapes.js';
import { defined } from '../../../document/defined.js';
import { isObject, type JsonObject, parseJson, readIfThere } from '../../../document/json.js';
import { NotSupported, parseCommand } from '../cli/arguments.js';
import { none, one } from '../cli/flags.js';
import { marketplaceOf } from '../plugins/enabled-plugins.js';
import { readInstalled, SCOPES, type Scope, writeInstalled } from '../plugins/installed-file.js';
import {
  isLocal,
  isMarketplaceName,
  type KnownMarketplace,
  readKnown,
  readMarketplace,
  writeKnown,
} from '../plugins/marketplaces.js';
import { allSettings, ScopeSettings } from '../plugins/scope-settings.js';
import type { Command, Told } from './command.js';
import { failed, JSON_FLAG, lastOf, succeeded } from './plugin-answer.js';
import { forget } from './remove-plugin.js';

const SCOPE = one('scope', '--scope');

/** A name that the CLI keeps for its own marketplaces, or may. */
const RESERVED = /anthropic|claude|official/i;

/** `claude plugin marketplace add PATH` */
export const addMarketplace: Command = (words, env) => {
  const { positional, flags } = parseCommand(words, [SCOPE, JSON_FLAG, none('--claudeai'), one('paths', '--sparse')]);
  for (const flag of ['--claudeai', '--sparse'])
    if (flags.has(flag)) throw new NotSupported(`error: the stand-in does not support '${flag}' of marketplace add`);
  const [given] = positional;
  if (given === undefined) throw new CliError("error: missing required argument 'source'");
  const asJson = flags.has('--json');
  const scope = readScope(lastOf(flags, '--scope') ?? 'user');
  const refuse = (message: string, failureCode: string, words = message, begin?: string): Told =>
    failed({
      asJson,
      fields: { command: 'marketplace-add', outcome: 'failed', message, failureCode },
      message: words,
      ...defined({ begin }),
    });
  if (!/^(?:\.{1,2}\/|\/)/.test(given)) {
    if (/[/:@~]/.test(given) || given === '..')
      throw new NotSupported(`error: the stand-in does not add the marketplace '${given}': it fetches none`);
    return refuse('Invalid marketplace source format. Try: owner/repo, https://..., or ./path', 'invalid_source');
  }
  const path = resolve(given);
  const kind = kindOf(path);
  if (kind === undefined) return refuse(`Path does not exist: ${path}`, 'invalid_source');
  if (kind === 'file' && !path.endsWith('.json'))
    throw new NotSupported(
      `error: the stand-in does not add the marketplace ${path}: it is no folder and no JSON file`,
    );
  const file = kind === 'file' ? path : join(path, MARKETPLACE_FILE);
  const found = checkFile(file);
  if ('wrong' in found)
    return refuse(found.wrong, found.code, `Failed to add marketplace: ${found.wrong}`, 'Adding marketplace…');
  const { name } = found;
  const paths = configPaths(env);
  const known = readKnown(paths);
  const before = known.get(name);
  const source = { source: kind === 'file' ? 'file' : 'directory', path };
  const isSame = before?.source.source === source.source && before.source['path'] === path;
  if (!isSame) {
    const installLocation = kind === 'file' ? dirname(dirname(path)) : path;
    known.set(name, { source, installLocation, lastUpdated: new Date().toISOString() });
    writeKnown(paths, known);
  }
  new ScopeSettings(scope, paths, process.cwd()).set('extraKnownMarketplaces', name, { source });
  const told = isSame
    ? `Marketplace '${name}' already on disk — declared in ${scope} settings`
    : `Successfully added marketplace: ${name} (declared in ${scope} settings)`;
  if (!isSame && before !== undefined && asJson)
    throw new NotSupported(`error: the stand-in does not move the marketplace '${name}' with --json`);
  const moved = isSame || before === undefined ? '' : movedFrom(name, before, source);
  return succeeded({
    asJson,
    begin: 'Adding marketplace…',
    fields: { command: 'marketplace-add', outcome: 'ok', marketplace: name, message: told },
    message: `${told}${moved}`,
  });
};

function movedFrom(name: string, { source }: KnownMarketplace, now: JsonObject): string {
  const named = (one: JsonObject): string => `${one['source'] === 'directory' ? 'dir' : one['source']}:${one['path']}`;
  return (
    `\n  Marketplace '${name}' was already added from ${named(source)} and now points at ${named(now)}.` +
    '\n  Plugins already installed from it now update from the new source. To undo, add the previous source again.'
  );
}

/** The name of a marketplace, or what is wrong with its file. */
function checkFile(file: string): { name: string } | { wrong: string; code: string } {
  const text = readIfThere(file);
  if (text === undefined) return { wrong: `Marketplace file not found at ${file}`, code: 'manifest_missing' };
  const broken = (why: string) => ({
    wrong: `Failed to parse marketplace file at ${file}: ${why}`,
    code: 'manifest_invalid',
  });
  const document = parseJson(text);
  if (document === undefined) return broken(`Invalid JSON in ${file}: ${jsonComplaint(text)}`);
  const unseen = new NotSupported(`error: the stand-in does not add a marketplace with the file ${file}: it is wrong`);
  if (!isObject(document)) throw unseen;
  const { name, owner, plugins } = document;
  const invalid = (what: string) => broken(`Invalid schema: ${file} ${what}`);
  if (typeof name !== 'string' || !Array.isArray(plugins)) throw unseen;
  if (name.includes(' '))
    return invalid('name: Marketplace name cannot contain spaces. Use kebab-case (e.g., "my-marketplace")');
  if (!isObject(owner)) return invalid(`owner: Invalid input: expected object, received ${kindOfValue(owner)}`);
  if (typeof owner['name'] !== 'string' || !isMarketplaceName(name)) throw unseen;
  if (RESERVED.test(name)) throw new NotSupported(`error: the stand-in does not add a marketplace named '${name}'`);
  return { name };
}

/** `claude plugin marketplace list` */
export const listMarketplaces: Command = (words, env) => {
  const { flags } = parseCommand(words, [JSON_FLAG]);
  const known = [...readKnown(configPaths(env))];
  const remote = known.find(([, one]) => !isLocal(one));
  if (remote !== undefined)
    throw new NotSupported(`error: the stand-in does not list the marketplace '${remote[0]}' of another machine`);
  if (flags.has('--json')) {
    const all = known.map(([name, { source, installLocation }]) => ({ name, ...source, installLocation }));
    return `${JSON.stringify(all, null, 2)}\n`;
  }
  const shown = [
    ['anthropic-plugin-directory', 'Built in (Anthropic Directory)'],
    ...known.map(([name, { source }]) => [
      name,
      `${source.source === 'file' ? 'File' : 'Folder'} (${String(source['path'])})`,
    ]),
  ];
  return `Configured marketplaces:\n\n${shown.map(([name, from]) => `  ❯ ${name}\n    Source: ${from}\n\n`).join('')}`;
};

/** `claude plugin marketplace update NAME` */
export const updateMarketplace: Command = (words, env) => {
  const { positional, flags } = parseCommand(words, [JSON_FLAG]);
  const [name] = positional;
  if (name === undefined)
    throw new NotSupported("error: the stand-in updates marketplaces by name only: one of the CLI's own is elsewhere");
  const asJson = flags.has('--json');
  const paths = configPaths(env);
  const known = readKnown(paths);
  const found = known.get(name);
  const begin = `Updating marketplace: ${name}...`;
  if (found === undefined) {
    const names = [...known.keys(), 'anthropic-plugin-directory'].join(', ');
    const message = `Marketplace '${name}' not found. Available marketplaces: ${names}`;
    return failed({
      ...{ asJson, begin, message: `Failed to update marketplace(s): ${message}` },
      fields: {
        command: 'marketplace-update',
        marketplace: name,
        outcome: 'failed',
        message,
        failureCode: 'not_configured',
      },
    });
  }
  if (!isLocal(found)) throw new NotSupported(`error: the stand-in does not update '${name}': it fetches none`);
  if (readMarketplace(found) === undefined)
    throw new NotSupported(`error: the stand-in does not update '${name}': its file is gone or wrong`);
  known.set(name, { ...found, lastUpdated: new Date().toISOString() });
  writeKnown(paths, known);
  const [first, last] = ['Validating local marketplace', `Successfully updated marketplace: ${name}`];
  return succeeded({
    ...{ asJson, begin: `${begin}${first}\n`, message: last },
    fields: { command: 'marketplace-update', outcome: 'ok', marketplace: name, message: `${first}\n${last}` },
  });
};

/** `claude plugin marketplace remove NAME` */
export const removeMarketplace: Command = (words, env) => {
  const { positional, flags } = parseCommand(words, [SCOPE, JSON_FLAG]);
  const [name] = positional;
  if (name === undefined) throw new CliError("error: missing required argument 'name'");
  const given = lastOf(flags, '--scope');
  const asJson = flags.has('--json');
  const paths = configPaths(env);
  const known = readKnown(paths);
  const refuse = (message: string, failureCode: string): Told =>
    failed({
      ...{ asJson, message: `Failed to remove marketplace: ${message}` },
      fields: { command: 'marketplace-remove', marketplace: name, outcome: 'failed', message, failureCode },
    });
  if (!known.has(name)) return refuse(`Marketplace '${name}' not found`, 'not_configured');
  const all = allSettings(paths, process.cwd());
  const where = all.filter((one) => Object.hasOwn(one.get('extraKnownMarketplaces'), name));
  if (given !== undefined) {
    const scope = readScope(given);
    if (!where.some((one) => one.scope === scope) && !asJson)
      return refuse(
        `Marketplace '${name}' is not declared in ${scope} settings. Omit --scope to remove it from all scopes.`,
        'not_configured',
      );
    if (where.length !== 1 || where[0]?.scope !== scope)
      throw new NotSupported(`error: the stand-in does not remove '${name}' from one scope of several`);
  }
  for (const one of all) {
    one.remove('extraKnownMarketplaces', (key) => key === name);
    one.remove('enabledPlugins', (id) => marketplaceOf(id) === name);
  }
  known.delete(name);
  writeKnown(paths, known);
  const gone = uninstallAll(name, paths);
  const from = given === undefined ? '' : ` (from ${given} settings)`;
  const also =
    gone.length === 0
      ? []
      : [
          `Also uninstalled ${gone.length} plugin${gone.length === 1 ? '' : 's'} from this marketplace:`,
          ...gone.map((id) => `  ${id}`),
          'The removal also deletes their saved options, secrets and data where it can.',
          'To use a plugin again, add the marketplace back and reinstall the plugin.',
        ];
  const message = [`Successfully removed marketplace: ${name}${from}`, ...also].join('\n');
  return succeeded({
    ...{ asJson, message },
    fields: { command: 'marketplace-remove', outcome: 'ok', marketplace: name, message },
  });
};

/** Uninstalls all plugins of a marketplace. Gives their ids. */
function uninstallAll(name: string, paths: ConfigPaths): string[] {
  const installed = readInstalled(paths);
  const gone = [...installed.keys()].filter((id) => marketplaceOf(id) === name);
  for (const id of gone) {
    for (const one of installed.get(id) ?? []) forget(id, one, paths);
    installed.delete(id);
  }
  if (gone.length > 0) writeInstalled(paths, installed);
  return gone;
}

function readScope(given: string): Scope {
  const scope = SCOPES.find((one) => one === given);
  if (scope !== undefined) return scope;
  throw new CliError(`✘ Invalid scope '${given}'. Use: user, project, or local`);
}
