import { isObject, isStringList, type JsonObject } from '../../document/json.js';
import type { SettingsFile } from '../settings.js';
import { type HookEventName, isHookEventName } from './events.js';
import type { Hook, HookSource } from './hook.js';
import { hookProblems } from './problems.js';

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

/**
 * Reads a `hooks` object: `{ Event: [{ matcher, hooks: [{ type, command, timeout }] }] }`. What the CLI finds wrong in it
 * is left out, as there.
 */
export function readHooks(value: unknown, origin: HooksOrigin): LoadedHooks {
  const loaded: LoadedHooks = { hooks: [], ignored: [] };
  if (!isObject(value)) return loaded;
  const wrong = new Set(hookProblems(value).map(({ path }) => path));
  for (const [event, groups] of Object.entries(value)) {
    const path = `hooks.${event}`;
    if (isHookEventName(event) && !wrong.has(path)) readEvent(event, groups as JsonObject[], wrong, origin, loaded);
  }
  return loaded;
}

function readEvent(
  event: HookEventName,
  groups: readonly JsonObject[],
  wrong: ReadonlySet<string>,
  origin: HooksOrigin,
  into: LoadedHooks,
): void {
  for (const [at, { matcher = '', hooks }] of groups.entries()) {
    const path = `hooks.${event}.${at}`;
    if (wrong.has(path)) continue;
    const right = (hooks as JsonObject[]).filter((_, index) => !wrong.has(`${path}.hooks.${index}`));
    for (const hook of right) readHook(event, String(matcher), hook, origin, into);
  }
}

function readHook(
  event: HookEventName,
  matcher: string,
  hook: JsonObject,
  origin: HooksOrigin,
  into: LoadedHooks,
): void {
  const { timeout, if: condition, async: runsAside, asyncRewake: wakesLater } = hook;
  const run = readRun(hook);
  if (run === undefined) {
    into.ignored.push(`a hook of type ${JSON.stringify(hook['type'])} for ${event}: it is not run here`);
    return;
  }
  into.hooks.push({
    event,
    matcher,
    ...(typeof condition === 'string' ? { condition } : {}),
    run,
    ...origin,
    // Settings give seconds.
    ...(typeof timeout === 'number' ? { timeoutMs: timeout * 1000 } : {}),
    ...(runsAside === true ? { background: true as const } : {}),
    ...(wakesLater === true ? { rewake: readRewake(hook) } : {}),
  });
}

function readRun({ type, command, args, prompt, model, continueOnBlock }: JsonObject): Hook['run'] | undefined {
  if (type === 'command') return { type, command: String(command), ...(isStringList(args) ? { args } : {}) };
  if (type !== 'prompt' && type !== 'agent') return undefined;
  return {
    ...{ type, prompt: String(prompt) },
    ...(typeof model === 'string' ? { model } : {}),
    ...(continueOnBlock === true ? { continueOnBlock } : {}),
  };
}

/** The words in which a hook wakes the agent. */
function readRewake({ rewakeMessage: message, rewakeSummary: summary }: JsonObject): NonNullable<Hook['rewake']> {
  return {
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof summary === 'string' ? { summary } : {}),
  };
}
