import { isObject, type JsonObject } from '@understudy/kit';
import {
  flag,
  isUrl,
  kindOfValue,
  list,
  object,
  oneOf,
  optional,
  positive,
  record,
  type Shape,
  text,
} from '../shapes.js';
import { hookEventFacts, hookEventNames, isHookEventName } from './events.js';
import { hookPlaces } from './places.js';

/** A hook that is not as the CLI wants it. */
export interface HookProblem {
  /** `hooks.PreToolUse.0.hooks.0` */
  path: string;
  what: string;
  /** What a settings file says of it, where that is more or other than `what`. */
  inSettings?: { path?: string; what?: string; behind?: string };
  /** How a settings file says what is left out for it. */
  left: '' | '. This field was ignored.' | '. This entry was ignored.' | '; matcher ignored.' | '; entry ignored.';
  /** The hook might have refused something: the CLI then takes nothing of the document that it stands in. */
  guards: boolean;
  /** What a check of the types says of the same place. */
  types: { path: string; reason: string }[];
}

/** What is true of a hook that may guard something and cannot be loaded. */
export const WHY_GUARDED =
  'a PreToolUse/PermissionRequest hook that cannot be loaded may be what guards the permissions declared beside it, ' +
  'so nothing it sits in is applied until the entry is fixed or removed';

const common = {
  if: optional(text()),
  timeout: optional(positive),
  statusMessage: optional(text()),
  once: optional(flag),
};
const asks = object({ prompt: text(), ...common, model: optional(text()) });

/** The kinds of hooks, and what each needs. */
const TYPES: Record<string, Shape> = {
  command: object({
    command: text(),
    args: optional(list(text())),
    shell: optional(oneOf('bash', 'powershell')),
    ...common,
    async: optional(flag),
    asyncRewake: optional(flag),
    rewakeMessage: optional(text()),
    rewakeSummary: optional(text()),
  }),
  prompt: asks,
  agent: asks,
  http: object({ url: text(isUrl), headers: optional(record(text())), ...common }),
  mcp_tool: object({ server: text(), tool: text(), ...common }),
};
const VALID_TYPES = `Valid types: ${Object.keys(TYPES).join(', ')}`;

/** All that is wrong with the `hooks` of a settings file or a plugin. */
export function hookProblems(hooks: unknown): HookProblem[] {
  if (!isObject(hooks)) return [wholeProblem(hooks)];
  // The CLI looks at all events first, and then into them.
  return [
    ...Object.entries(hooks).flatMap(([event, groups]) => eventProblem(event, groups)),
    ...hookPlaces(hooks).flatMap(({ kind, event, path, value }) => {
      if (kind === 'event' || !isHookEventName(event)) return [];
      return kind === 'group' ? [groupProblem(path, value, guards(event))] : entryProblems(path, value, guards(event));
    }),
  ];
}

function guards(event: string): boolean {
  return hookEventFacts(event).guards === true;
}

/** Why a plugin with such hooks is not loaded: one that may guard something is wrong. */
export function guardProblem(hooks: unknown): string | undefined {
  const guards = isObject(hooks) ? hookProblems(hooks).filter((problem) => problem.guards) : [];
  if (guards.length === 0) return undefined;
  return `${guards.map(({ path, what }) => `${path}: ${what}`).join('; ')} — ${WHY_GUARDED}`;
}

function wholeProblem(hooks: unknown): HookProblem {
  const received = kindOfValue(hooks);
  const what = 'must be an object mapping event names to matcher arrays';
  return {
    path: 'hooks',
    what,
    inSettings: { what: `"hooks" ${what}; received ${received}` },
    left: '. This field was ignored.',
    guards: Array.isArray(hooks) && hooks.length > 0,
    types: [{ path: 'hooks', reason: `Expected record, but received ${received}` }],
  };
}

function eventProblem(event: string, groups: unknown): HookProblem[] {
  const path = `hooks.${event}`;
  if (!isHookEventName(event)) {
    const told = `Unknown hook event "${event}" was ignored. Valid events: ${hookEventNames.join(', ')}`;
    // The CLI says no more than so many characters.
    return [{ path, what: told.slice(0, 500), left: '', guards: false, types: [] }];
  }
  if (Array.isArray(groups)) return [];
  const received = kindOfValue(groups);
  const what = 'must be an array of matchers; received';
  return [
    {
      path,
      what: `${what} ${aKind(groups)}`,
      inSettings: { what: `Hook event "${event}" ${what} ${received}` },
      left: '. This entry was ignored.',
      guards: guards(event) && groups !== null,
      types: [{ path, reason: `Expected array, but received ${received}` }],
    },
  ];
}

function groupProblem(path: string, group: unknown, guards: boolean): HookProblem {
  const problem = (what: string, types: HookProblem['types']): HookProblem => {
    return { path, what, left: '; matcher ignored.', guards, types };
  };
  if (!isObject(group)) {
    const types = [{ path, reason: `Expected object, but received ${kindOfValue(group)}` }];
    return problem(`Hook matcher must be an object; received ${aKind(group)}`, types);
  }
  const { matcher, hooks } = group;
  if (matcher !== undefined && typeof matcher !== 'string') {
    const types = [{ path: `${path}.matcher`, reason: `Expected string, but received ${kindOfValue(matcher)}` }];
    const why = `matcher: Invalid input: expected string, received ${kindOfValue(matcher)}`;
    return problem(`Invalid hook matcher (${why})`, types);
  }
  const types = [{ path: `${path}.hooks`, reason: `Expected array, but received ${kindOfValue(hooks)}` }];
  return problem(`Hook matcher "hooks" must be an array of hook entries; received ${aKind(hooks)}`, types);
}

function entryProblems(path: string, hook: unknown, guards: boolean): HookProblem[] {
  const problem = { path, left: '; entry ignored.', guards } as const;
  if (!isObject(hook)) {
    const types = [{ path, reason: `Expected object, but received ${kindOfValue(hook)}` }];
    return [{ ...problem, what: `Hook entry must be an object; received ${aKind(hook)}`, types }];
  }
  const wrongType = typeProblem(hook);
  if (wrongType !== undefined) {
    const expected = Object.keys(TYPES)
      .map((type) => `'${type}'`)
      .join(' | ');
    const at = `${path}.type`;
    const types = [{ path: at, reason: `Invalid discriminator value. Expected ${expected}` }];
    return [{ ...problem, what: wrongType, inSettings: { path: at, behind: VALID_TYPES }, types }];
  }
  const wrong = TYPES[String(hook['type'])]?.(hook, '') ?? [];
  if (wrong.length === 0) return [];
  const why = wrong.map((one) => `${one.path}: ${one.message}`).join('; ');
  const types = wrong.map((one) => ({ path: `${path}.${one.path}`, reason: asSettingsSay(one.message) }));
  return [{ ...problem, what: `Invalid ${hook['type']} hook (${why})`, types }];
}

function typeProblem({ type }: JsonObject): string | undefined {
  if (type === undefined) return 'Hook entry has no "type"';
  if (typeof type !== 'string') return `Hook entry "type" must be a string; received ${aKind(type)}`;
  return Object.hasOwn(TYPES, type) ? undefined : `Unknown hook type "${type}"`;
}

function asSettingsSay(message: string): string {
  return message.replace(/^Invalid input: expected (\w+), received/, 'Expected $1, but received');
}

function aKind(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  const kind = kindOfValue(value);
  return `${/^[ao]/.test(kind) ? 'an' : 'a'} ${kind}`;
}
