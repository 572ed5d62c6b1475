import { isObject, isStringList, type JsonObject } from '@understudy/kit';
import type { PluginOrigin } from '../plugin-origin.js';
import type { SettingsFile } from '../settings.js';
import { type HookEventName, isHookEventName } from './events.js';
import type { AskingHook, Hook, HookSource } from './hook.js';
import { hookPlaces } from './places.js';
import { hookProblems } from './problems.js';

export interface HooksOrigin {
  source: HookSource;
  plugin?: PluginOrigin;
}

/** The hooks of all settings files. */
export function hooksOfSettings(files: readonly SettingsFile[]): Hook[] {
  if (files.some(({ settings }) => settings['disableAllHooks'] === true)) return [];
  return files.flatMap(({ settings, source }) => readHooks(settings['hooks'], { source }));
}

/** Reads a `hooks` object. What the CLI finds wrong in it is left out, as there. */
export function readHooks(value: unknown, origin: HooksOrigin): Hook[] {
  if (!isObject(value)) return [];
  const wrong = new Set(hookProblems(value).map(({ path }) => path));
  return hookPlaces(value).flatMap((place) =>
    place.kind === 'hook' && isHookEventName(place.event) && !wrong.has(place.path)
      ? [readHook(place.event, place.matcher, place.value as JsonObject, origin)]
      : [],
  );
}

function readHook(event: HookEventName, matcher: string, hook: JsonObject, origin: HooksOrigin): Hook {
  const { timeout, if: condition, async: runsAside, asyncRewake: wakesLater } = hook;
  return {
    event,
    matcher,
    ...(typeof condition === 'string' ? { condition } : {}),
    run: readRun(hook),
    ...origin,
    // Settings give seconds.
    ...(typeof timeout === 'number' ? { timeoutMs: timeout * 1000 } : {}),
    ...(runsAside === true ? { background: true as const } : {}),
    ...(wakesLater === true ? { rewake: true as const } : {}),
  };
}

/** What a hook does, of one of the kinds that there are. */
function readRun(hook: JsonObject): Hook['run'] {
  const { type, command, args, url, server, tool } = hook;
  switch (type) {
    case 'prompt':
    case 'agent':
      return { type, ...readQuestion(hook) };
    case 'http':
      return { type, url: String(url) };
    case 'mcp_tool':
      return { type, server: String(server), tool: String(tool) };
    default:
      return { type: 'command', command: String(command), ...(isStringList(args) ? { args } : {}) };
  }
}

function readQuestion({ prompt, model, continueOnBlock }: JsonObject): Omit<AskingHook, 'type'> {
  return {
    prompt: String(prompt),
    ...(typeof model === 'string' ? { model } : {}),
    ...(continueOnBlock === true ? { continueOnBlock } : {}),
  };
}
