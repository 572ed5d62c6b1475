import { defined } from '../../document/defined.js';
import { isObject, isStringList, type JsonObject } from '../../document/json.js';
import type { SettingsFile } from '../settings.js';
import { type HookEventName, isHookEventName } from './events.js';
import type { Hook, HookSource } from './hook.js';

export interface LoadedHooks {
  hooks: Hook[];
  /** Hooks that were written and are not loaded here, each with the reason. */
  ignored: string[];
}

export interface HooksOrigin {
  source: HookSource;
  plugin?: { name: string; root: string };
}

/** The hooks of all settings files. */
export function hooksOfSettings(files: readonly SettingsFile[]): LoadedHooks {
  const loaded: LoadedHooks = { hooks: [], ignored: [] };
  if (files.some(({ settings }) => settings['disableAllHooks'] === true)) return loaded;
  for (const { settings, source } of files) {
    const more = readHooks(settings['hooks'], { source });
    loaded.hooks.push(...more.hooks);
    loaded.ignored.push(...more.ignored);
  }
  return loaded;
}

/** Reads a `hooks` object: `{ Event: [{ matcher, hooks: [{ type, command, timeout }] }] }`. */
export function readHooks(value: unknown, origin: HooksOrigin): LoadedHooks {
  const loaded: LoadedHooks = { hooks: [], ignored: [] };
  if (!isObject(value)) return loaded;
  for (const [event, groups] of Object.entries(value)) {
    if (!isHookEventName(event)) {
      loaded.ignored.push(`hooks for ${event}: Claude Code has no such event`);
      continue;
    }
    for (const group of Array.isArray(groups) ? groups : []) readGroup(event, group, origin, loaded);
  }
  return loaded;
}

function readGroup(event: HookEventName, group: unknown, origin: HooksOrigin, into: LoadedHooks): void {
  if (!isObject(group) || !Array.isArray(group['hooks'])) return;
  const matcher = typeof group['matcher'] === 'string' ? group['matcher'] : '';
  for (const hook of group['hooks']) {
    if (!isObject(hook)) continue;
    const { type, command, args, timeout, if: condition, async: runsAside } = hook;
    if (type !== 'command' || typeof command !== 'string') {
      into.ignored.push(`a hook of type ${JSON.stringify(type)} for ${event}: only commands can be run here`);
      continue;
    }
    if (condition !== undefined && typeof condition !== 'string') {
      into.ignored.push(`a hook for ${event}: its "if" is no text`);
      continue;
    }
    into.hooks.push({
      event,
      matcher,
      ...defined({ condition }),
      run: { type: 'command', command, ...(isStringList(args) ? { args } : {}) },
      ...origin,
      // Settings give seconds.
      ...(typeof timeout === 'number' ? { timeoutMs: timeout * 1000 } : {}),
      ...(runsAside === true ? { background: true as const } : {}),
      ...(hook['asyncRewake'] === true ? { rewake: readRewake(hook) } : {}),
    });
  }
}

/** The words in which a hook wakes the agent. */
function readRewake({ rewakeMessage: message, rewakeSummary: summary }: JsonObject): NonNullable<Hook['rewake']> {
  return {
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof summary === 'string' ? { summary } : {}),
  };
}
