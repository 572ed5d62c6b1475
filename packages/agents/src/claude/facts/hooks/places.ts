import { isObject, type JsonObject } from '@understudy/kit';

interface Place {
  event: string;
  /** `hooks.PreToolUse.0.hooks.0`, as the CLI names it. */
  path: string;
  /** `PreToolUse[0].hooks[0]`, as people do. */
  at: string;
  value: unknown;
}

/** A hook, or an event or a group of hooks that nobody can look into because it has another shape. */
export type HookPlace =
  | (Place & { kind: 'event' | 'group' })
  | (Place & { kind: 'hook'; matcher: string; group: JsonObject });

/** What stands in a `hooks` object, in its order: `{ Event: [{ matcher, hooks: [{ type, command, timeout }] }] }`. */
export function hookPlaces(hooks: object): HookPlace[] {
  return Object.entries(hooks).flatMap(([event, groups]: [string, unknown]): HookPlace[] => {
    const path = `hooks.${event}`;
    if (!Array.isArray(groups)) return [{ kind: 'event', event, path, at: event, value: groups }];
    return groups.flatMap((group: unknown, index) =>
      inGroup({ event, path: `${path}.${index}`, at: `${event}[${index}]`, value: group }),
    );
  });
}

function inGroup(place: Place): HookPlace[] {
  const { event, path, at, value: group } = place;
  const { matcher = '', hooks } = isObject(group) ? group : {};
  if (!isObject(group) || !Array.isArray(hooks) || typeof matcher !== 'string') return [{ kind: 'group', ...place }];
  return hooks.map((value: unknown, index) => ({
    ...{ kind: 'hook', event, matcher, group, value },
    ...{ path: `${path}.hooks.${index}`, at: `${at}.hooks[${index}]` },
  }));
}
