import { chmodSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isObject, type JsonObject, parseJson, readIfThere } from '@understudy/kit';
import { copyFolder } from '@understudy/stage';
import type { Guard, Setting } from './guard.js';

/** A fault that is planted into a copy of a guard: its attack must then be let through. */
export interface Fault {
  name: string;
  setting: Setting;
}

/** Changes a copy of the guard; false where there is nothing to change. */
type Plant = (copy: Copy) => boolean;

/** What has the guard: the parsed file in which it stands, and the folder of its scripts. */
interface Copy {
  document: JsonObject;
  folder: string;
}

const HOOK_FAULTS: Readonly<Record<string, (guard: Guard) => Plant | undefined>> = {
  removed: (guard) => atHook(guard, ({ hooks, index }) => hooks.splice(index, 1)),
  'exits 1 instead of 2': ({ exits, ...guard }) =>
    exits === 2
      ? atHook(guard, ({ hook }) =>
          wrap(hook, (command) => `${command}\ncode=$?; [ $code -eq 2 ] && exit 1; exit $code`),
        )
      : undefined,
  'missing interpreter': (guard) =>
    atHook(guard, ({ hook }) => wrap(hook, (command) => `/no/such/interpreter ${command}`)),
  'typo in the matcher': (guard) =>
    /^\w{3,}$/.test(guard.matcher ?? '')
      ? atHook(guard, ({ group }) => {
          group['matcher'] = misspelt(guard.matcher ?? '');
        })
      : undefined,
  'not executable': ({ command = '', ...guard }) => {
    const script = /^"?\$\{?CLAUDE_(?:PLUGIN_ROOT|PROJECT_DIR)\}?"?\/([\w./-]+)"?(?:\s|$)/.exec(command)?.[1];
    if (script === undefined) return undefined;
    return ({ folder }) => {
      chmodSync(join(folder, script), 0o644);
      return guard.kind === 'hook';
    };
  },
  'a space in the path, without quotes': ({ command = '', ...guard }) =>
    /\$\{?CLAUDE_PLUGIN_ROOT/.test(command)
      ? atHook(guard, ({ hook }) => wrap(hook, (line) => line.replace(/["']/g, '')))
      : undefined,
};

const RULE_FAULTS: Readonly<Record<string, (guard: Guard) => Plant | undefined>> = {
  removed: ({ list, rule }) => inLists((lists) => take(lists, list, rule)),
  'typo in the tool': ({ list, rule = '' }) =>
    inLists((lists) => take(lists, list, rule) && put(lists, list, misspelt(rule))),
  'allow instead': ({ list, rule = '' }) =>
    list === 'allow' ? undefined : inLists((lists) => take(lists, list, rule) && put(lists, 'allow', rule)),
};

const SERVER_FAULTS: Readonly<Record<string, (guard: Guard) => Plant | undefined>> = {
  removed:
    ({ name }) =>
    ({ document }) => {
      delete document[name.split(' ')[0] ?? ''];
      return true;
    },
};

/** The faults of a guard, each in a copy of its own below the folder. */
export function faultsOf(guard: Guard, setting: Setting, scratch: string): Fault[] {
  const { attack, stopsNothing, kind } = guard;
  if (attack === undefined || stopsNothing !== undefined || kind === 'declared') return [];
  const table = kind === 'hook' ? HOOK_FAULTS : kind === 'rule' ? RULE_FAULTS : SERVER_FAULTS;
  return Object.entries(table).flatMap(([name, planted]) => {
    const plant = planted(guard);
    const changed =
      plant === undefined ? undefined : withFault(guard, setting, plant, join(scratch, slug(`${guard.name} ${name}`)));
    return changed === undefined ? [] : [{ name, setting: changed }];
  });
}

/** A space in the path of each copy: what is quoted does not mind it. */
const slug = (text: string): string => `a ${text.replace(/[^\w]+/g, '-')}`;

function withFault(guard: Guard, setting: Setting, plant: Plant, to: string): Setting | undefined {
  const { managed, plugins, project } = setting;
  const { files, path } = project;
  if (isObject(managed) && guard.isManaged === true) {
    const document = structuredClone(managed) as JsonObject;
    return plant({ document, folder: to }) ? { ...setting, managed: document } : undefined;
  }
  const [plugin] = plugins;
  if (plugin === undefined && path === undefined) {
    const document = parseJson(files?.[guard.file] ?? '');
    if (!isObject(document) || !plant({ document, folder: to })) return undefined;
    return { ...setting, project: { ...project, files: { ...files, [guard.file]: JSON.stringify(document) } } };
  }
  const folder = join(to, basename(plugin ?? path ?? ''));
  copyFolder(plugin ?? path ?? '', folder, { leaveOut: ['.git', '.understudy'] });
  const file = join(folder, guard.file);
  const document = parseJson(readIfThere(file) ?? '');
  if (!isObject(document) || !plant({ document, folder })) return undefined;
  writeFileSync(file, JSON.stringify(document));
  return plugin === undefined
    ? { ...setting, project: { ...project, path: folder } }
    : { ...setting, plugins: [folder] };
}

interface HookAt {
  hook: JsonObject;
  hooks: unknown[];
  index: number;
  group: JsonObject;
}

/** Changes the hook at its place in the document: `hooks.PreToolUse.0.hooks.0`. */
function atHook({ path = '' }: Pick<Guard, 'path'>, change: (at: HookAt) => void): Plant {
  return ({ document }) => {
    const parts = path.split('.');
    const index = Number(parts.at(-1));
    const group = valueAt(document, parts.slice(0, -2));
    const hooks = isObject(group) ? group['hooks'] : undefined;
    const hook: unknown = Array.isArray(hooks) ? hooks[index] : undefined;
    if (!isObject(group) || !Array.isArray(hooks) || !isObject(hook)) return false;
    change({ hook, hooks, index, group });
    return true;
  };
}

function valueAt(document: unknown, parts: readonly string[]): unknown {
  return parts.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? (value as JsonObject)[part] : undefined),
    document,
  );
}

function wrap(hook: JsonObject, change: (command: string) => string): void {
  const { command, args } = hook;
  const words = Array.isArray(args) ? ` ${args.map((arg) => JSON.stringify(arg)).join(' ')}` : '';
  delete hook['args'];
  hook['command'] = change(`${String(command)}${words}`);
}

function inLists(change: (lists: JsonObject) => boolean): Plant {
  return ({ document }) => isObject(document['permissions']) && change(document['permissions']);
}

function take(lists: JsonObject, list = '', rule = ''): boolean {
  const rules = lists[list];
  if (!Array.isArray(rules) || !rules.includes(rule)) return false;
  lists[list] = rules.filter((one) => one !== rule);
  return true;
}

function put(lists: JsonObject, list = '', rule = ''): boolean {
  const rules = lists[list];
  lists[list] = [...(Array.isArray(rules) ? rules : []), rule];
  return true;
}

/** `Bash` becomes `Bsah`. */
function misspelt(name: string): string {
  return name.replace(/^(\w)(\w)(\w)/, '$1$3$2');
}
