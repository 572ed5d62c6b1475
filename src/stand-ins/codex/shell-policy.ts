import { isObject, isStringList, type JsonObject } from '../../document/json.js';
import { VARIABLES } from './environment.js';
import { booleanIn, choiceIn, wrongType } from './setting-types.js';

/** Which variables of its own environment Codex gives to commands (`shell_environment_policy`). */
export interface ShellPolicy {
  inherit: string;
  exclude: readonly string[];
  includeOnly: readonly string[];
  set: Readonly<Record<string, string>>;
}

const CORE = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'USER', 'USERNAME', 'TMPDIR', 'TEMP', 'TMP'];
const SECRETS = ['*KEY*', '*SECRET*', '*TOKEN*'];
const SECTION = 'shell_environment_policy';

export function readShellPolicy(section: unknown): ShellPolicy {
  const values = isObject(section) ? section : {};
  const secrets = booleanIn(values, 'ignore_default_excludes') === false ? SECRETS : [];
  return {
    inherit: choiceIn(values, 'inherit', ['core', 'all', 'none'], `${SECTION}.inherit`) ?? 'all',
    exclude: [...secrets, ...patternsIn(values, 'exclude')],
    includeOnly: patternsIn(values, 'include_only'),
    set: isObject(values['set']) ? (values['set'] as Record<string, string>) : {},
  };
}

function patternsIn(values: JsonObject, key: string): readonly string[] {
  const list = values[key] ?? [];
  if (!isStringList(list)) throw wrongType(list, 'a sequence', `${SECTION}.${key}`);
  return list;
}

/**
 * The environment of a command. Codex sets variables of its own, but what it has inherited comes back with the snapshot
 * that it takes of the user's shell.
 */
export function commandEnvironment(env: NodeJS.ProcessEnv, policy: ShellPolicy): NodeJS.ProcessEnv {
  const { inherit, exclude, includeOnly, set } = policy;
  const isKept = (name: string): boolean =>
    (inherit === 'all' || (inherit === 'core' && CORE.includes(name.toUpperCase()))) && !matches(name, exclude);
  const inherited = Object.entries(env).filter(([name]) => isKept(name) && !(name in set));
  const chosen = Object.entries({ ...Object.fromEntries(inherited), ...set }).filter(
    ([name]) => includeOnly.length === 0 || matches(name, includeOnly),
  );
  const own = Object.entries(VARIABLES).filter(([name]) => !chosen.some(([other]) => other === name) || name in set);
  return Object.fromEntries([...chosen, ...own]);
}

function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const parts = [...pattern].map((character) =>
      character === '*' ? '.*' : character === '?' ? '.' : character.replace(/[^\w]/, '\\$&'),
    );
    return new RegExp(`^${parts.join('')}$`, 'i').test(name);
  });
}
