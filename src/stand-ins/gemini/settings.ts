import { join } from 'node:path';
import { defined } from '../../document/defined.js';
import {
  isObject,
  isStringList,
  type JsonObject,
  parseJson,
  readIfThere,
  withoutComments,
} from '../../document/json.js';
import type { HookSettings } from './hooks/session-hooks.js';
import type { ServerNames } from './mcp/servers.js';
import { APPROVAL_MODES, type ApprovalMode, FORMATS, NotSupported, type OutputFormat } from './options.js';
import { withVariables } from './variables.js';

/** What settings of the user and the project change for a run without a terminal. */
export interface GeminiSettings {
  mode?: ApprovalMode;
  format?: OutputFormat;
  model?: string;
  folders: readonly string[];
  allowedTools: readonly string[];
  excludedTools: readonly string[];
  /** The only tools that there are. */
  coreTools?: readonly string[];
  /** MCP servers by name. */
  servers: JsonObject;
  /** Which of them may be started: what all files say. */
  serverNames: ServerNames;
  /** Whose tools may be used: what the last file says. */
  toolServers: ServerNames;
  /** Tools of all servers may be used where nobody can be asked. */
  allowsAllServers: boolean;
  /** Absent where there are none, or where they are switched off. */
  hooks?: HookSettings;
}

/** What the real CLI does with a setting and the stand-in does not. */
const REFUSED = [
  ...['mcp.serverCommand', 'admin', 'tools.discoveryCommand', 'tools.callCommand'],
  ...[
    'security.environmentVariableRedaction',
    'policyPaths',
    'adminPolicyPaths',
    'model.maxSessionTurns',
    'security.disableYoloMode',
  ],
  ...['context.fileFiltering', 'context.fileName', 'tools.confirmationRequired', 'tools.sandbox', 'tools.shell'],
];

/** Reads the settings of the user and, above them, those of the project. */
export function readSettings(home: string, root: string, env: NodeJS.ProcessEnv): GeminiSettings {
  const all = [join(home, 'settings.json'), join(root, '.gemini', 'settings.json')]
    .filter((file, index, files) => files.indexOf(file) === index)
    .map((file) => withVariables(settingsIn(file), env) as JsonObject);
  const valuesOf = (path: string): unknown[] => all.flatMap((settings) => valueAt(settings, path) ?? []);
  const last = <Value>(path: string, is: (value: unknown) => value is Value): Value | undefined => {
    const value: unknown = all.map((settings) => valueAt(settings, path)).findLast((one) => one !== undefined);
    return is(value) ? value : undefined;
  };
  for (const path of REFUSED)
    if (all.some((settings) => isSet(valueAt(settings, path)))) throw new NotSupported(`${path} in settings.json`);
  const format = last('output.format', isText);
  const mode = last('general.defaultApprovalMode', isText);
  return {
    ...defined({
      // Only the command line can approve everything.
      mode: APPROVAL_MODES.find((one) => one === mode && one !== 'yolo'),
      format: FORMATS.find((one) => one === format),
      model: last('model.name', isText),
      coreTools: last('tools.core', isStringList),
      hooks: hooksOf(
        all,
        last('hooksConfig.disabled', isStringList) ?? [],
        last('hooksConfig.enabled', isBoolean) ?? true,
      ),
    }),
    folders: valuesOf('context.includeDirectories').filter(isText),
    allowedTools: last('tools.allowed', isStringList) ?? [],
    excludedTools: valuesOf('tools.exclude').filter(isText),
    servers: Object.assign({}, ...all.map((settings) => serversOf(settings))) as JsonObject,
    serverNames: {
      allowed: inAll(all.map((settings) => valueAt(settings, 'mcp.allowed')).filter(isStringList)),
      excluded: valuesOf('mcp.excluded').filter(isText),
    },
    toolServers: {
      allowed: last('mcp.allowed', isStringList) ?? [],
      excluded: last('mcp.excluded', isStringList) ?? [],
    },
    allowsAllServers: last('mcp.autoAllowInHeadless', isTrue) ?? false,
  };
}

function hooksOf(
  files: readonly JsonObject[],
  disabled: readonly string[],
  enabled: boolean,
): HookSettings | undefined {
  const each = files.map(({ hooks = {} }) => {
    if (isObject(hooks)) return hooks;
    throw new NotSupported('hooks that are no object in settings.json');
  });
  const names = [...new Set(each.flatMap((hooks) => Object.keys(hooks)))];
  if (names.length === 0 || !enabled) return undefined;
  const all = names.map((name) => {
    const lists = each.map((hooks) => hooks[name]).filter((list) => list !== undefined);
    return [name, lists.every(Array.isArray) ? lists.flat() : lists.at(-1)];
  });
  return { all: Object.fromEntries(all) as JsonObject, project: each[1] ?? {}, disabled };
}

function serversOf({ mcpServers = {} }: JsonObject): JsonObject {
  if (isObject(mcpServers)) return mcpServers;
  throw new NotSupported('mcpServers that is no object in settings.json');
}

/** What stands in every one of the lists. */
function inAll(lists: readonly string[][]): readonly string[] {
  const plain = (name: string): string => name.toLowerCase().trim();
  return lists.length === 0
    ? []
    : lists.reduce((kept, list) => kept.filter((name) => list.some((other) => plain(other) === plain(name))));
}

function settingsIn(file: string): JsonObject {
  const text = readIfThere(file);
  if (text === undefined || text.trim() === '') return {};
  const settings = parseJson(withoutComments(text));
  if (!isObject(settings)) throw new NotSupported(`a settings.json that is no JSON (${file})`);
  return settings;
}

function valueAt(settings: JsonObject, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), settings);
}

function isSet(value: unknown): boolean {
  if (isObject(value)) return Object.keys(value).length > 0;
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false && value !== -1;
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isTrue(value: unknown): value is true {
  return value === true;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
