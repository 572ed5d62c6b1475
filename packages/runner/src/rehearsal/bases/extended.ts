import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import {
  configFileOf,
  type ErrorCode,
  formatPath,
  InvalidDocumentError,
  isModuleFile,
  isObject,
  locateProblems,
  type Path,
  readModule,
  readSource,
  refuseNewerFormat,
  type Source,
  type SourceText,
} from '@understudy/kit';
import { rebase } from './rebase.js';

/** A document with all that it extends, and the files that it is made of. */
export interface Extended {
  source: Source;
  bases: SourceText[];
}

/** Where the value of a path stands, if it is that of a base. */
type Origins = Map<string, { source: SourceText; path: Path }>;

/** Called with the path of a value that is inherited, and its path in the base. */
type Note = (path: Path, from: Path) => void;

/** What a test is called is its own. */
const NOT_INHERITED = ['$schema', 'format', 'extends', 'name', 'description'];

/** Its own come first: of rules, the first that matches answers. */
const LISTS = ['responses', 'faults', 'plugins', 'tags'];

/** Of these each field is inherited by itself. */
const TABLES = [
  'checks',
  'env',
  'project',
  'settings',
  'managed_settings',
  'limits',
  'skip',
  'timeouts',
  'tool_execution',
  'terminal',
  'mcp',
  'start',
  'end',
];

/** Adds to a document what the files of its `extends` have, and the project for all, and it does not say itself. */
export function extended(source: Source, file: string): Extended {
  return withDefaults(withBases(source, file, [resolve(file)]), file);
}

function withBases(source: Source, file: string, chain: readonly string[]): Extended {
  const { value } = source;
  if (!isObject(value) || value['extends'] === undefined) return { source, bases: [] };
  const { extends: named, ...own } = value;
  const names = [named].flat();
  return names.reduce<Extended>(
    (sofar, name, index) => {
      const path = Array.isArray(named) ? ['extends', index] : ['extends'];
      const at = fileOf(name, source, file, path, chain);
      const shown = relative('.', at);
      const read = isModuleFile(at) ? readModule(shown) : readSource(shown);
      refuseNewerFormat(read);
      const base = withBases(read, shown, [...chain, at]);
      if (isObject(base.source.value)) return inherit(sofar, base, base.source.value, file);
      throw wrong(
        source,
        file,
        'WRONG_TYPE',
        `${name} is no table, so nothing can extend it`,
        'Name a rehearsal.',
        path,
      );
    },
    { source: { ...source, value: own }, bases: [] },
  );
}

function fileOf(name: unknown, source: Source, file: string, path: Path, chain: readonly string[]): string {
  if (typeof name !== 'string' || name === '') {
    const fix = 'Write `extends = "base.toml"`.';
    throw wrong(source, file, 'WRONG_TYPE', '`extends` must be the path of a file, or a list of them', fix, path);
  }
  const at = resolve(dirname(file), name);
  if (!existsSync(at)) {
    const fix = 'Check the path; it is relative to the rehearsal.';
    throw wrong(source, file, 'FILE_NOT_FOUND', `there is no file ${name} to extend`, fix, path);
  }
  if (!chain.includes(at)) return at;
  const way = [...chain.slice(chain.indexOf(at)), at].map((one) => relative('.', one)).join(' → ');
  throw wrong(source, file, 'INVALID_VALUE', `this file extends itself: ${way}`, 'Remove one of the `extends`.', path);
}

const DEFAULTS = 'defaults';

/** `[defaults]` of the understudy.toml of its folder: the base of all. */
function withDefaults(extended: Extended, file: string): Extended {
  const config = configFileOf(dirname(resolve(file)));
  if (config === undefined || !isObject(extended.source.value)) return extended;
  const source = readSource(config);
  refuseNewerFormat(source);
  const defaults = isObject(source.value) ? source.value[DEFAULTS] : undefined;
  if (defaults === undefined) return extended;
  if (isObject(defaults)) return inherit(extended, { source, bases: [] }, defaults, file, [DEFAULTS]);
  throw wrong(source, config, 'WRONG_TYPE', '`defaults` must be a table', 'Write `[defaults]`.', [DEFAULTS]);
}

/** `at` is where in the base the values stand. */
function inherit(
  { source, bases }: Extended,
  base: Extended,
  values: Record<string, unknown>,
  file: string,
  at: Path = [],
): Extended {
  const origins: Origins = new Map();
  const note: Note = (path, from) => origins.set(formatPath(path), { source: base.source, path: [...at, ...from] });
  const value = merge(source.value as Record<string, unknown>, rebase(values, base.source.file ?? file, file), note);
  const origin = (path: Path) => {
    for (let length = path.length; length > 0; length--) {
      const found = origins.get(formatPath(path.slice(0, length)));
      if (found !== undefined) return below(found, path.slice(length));
    }
    return source.origin?.(path);
  };
  return { source: { ...source, value, origin }, bases: [...bases, base.source, ...base.bases] };
}

/** A base may itself extend another one. */
function below({ source, path }: { source: SourceText; path: Path }, rest: Path): { source: SourceText; path: Path } {
  const whole = [...path, ...rest];
  return source.origin?.(whole) ?? { source, path: whole };
}

function merge(own: Record<string, unknown>, base: Record<string, unknown>, note: Note): Record<string, unknown> {
  const merged = { ...own };
  for (const [name, value] of Object.entries(base)) {
    const mine = own[name];
    if (NOT_INHERITED.includes(name)) continue;
    if (mine === undefined) {
      merged[name] = value;
      note([name], [name]);
    } else if (LISTS.includes(name) && Array.isArray(mine) && Array.isArray(value)) {
      const all = [...mine];
      for (const [index, one] of value.entries()) {
        // A plugin or tag that both name is there once.
        if (typeof one === 'string' && all.includes(one)) continue;
        note([name, all.length], [name, index]);
        all.push(one);
      }
      merged[name] = all;
    } else if (TABLES.includes(name) && isObject(mine) && isObject(value)) {
      merged[name] = mergeTables(mine, value, [name], note);
    }
  }
  return merged;
}

function mergeTables(
  own: Record<string, unknown>,
  base: Record<string, unknown>,
  path: Path,
  note: Note,
): Record<string, unknown> {
  const merged = { ...own };
  for (const [name, value] of Object.entries(base)) {
    const mine = own[name];
    const at = [...path, name];
    // A server is replaced as a whole.
    if (isObject(mine) && isObject(value) && path[0] !== 'mcp') merged[name] = mergeTables(mine, value, at, note);
    else if (mine === undefined) {
      merged[name] = value;
      note(at, at);
    }
  }
  return merged;
}

function wrong(source: Source, file: string, code: ErrorCode, message: string, fix: string, path: Path) {
  return new InvalidDocumentError('SCENARIO_INVALID', file, locateProblems(source, [{ code, message, fix, path }]));
}
