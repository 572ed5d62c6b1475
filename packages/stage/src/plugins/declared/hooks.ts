import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  HOOKS_FILE,
  hookEventNames,
  hookSources,
  isBrokenMatcher,
  isHookEventName,
  isToolEvent,
  MANIFEST_FILE,
  neverHolds,
} from '@understudy/agents';
import { defined, inWords, nearestWord, readIfThere } from '@understudy/kit';
import * as z from 'zod/mini';
import { unheardDefect } from './asking-hook.js';
import type { DeclaredHook, Issue } from './component.js';
import { lookAtMatcher } from './dead-matcher.js';
import { readJson } from './json-file.js';
import type { Manifest } from './manifest.js';
import { type HookPlace, scriptIssue } from './script.js';

const TYPES = ['command', 'prompt', 'agent', 'http', 'mcp_tool'];

const entrySchema = z.looseObject({
  type: z.string(),
  command: z.optional(z.string()),
  args: z.optional(z.array(z.string())),
  prompt: z.optional(z.string()),
  url: z.optional(z.string()),
  server: z.optional(z.string()),
  tool: z.optional(z.string()),
  timeout: z.optional(z.number()),
  if: z.optional(z.string()),
});

type HookEntry = z.infer<typeof entrySchema>;

/** What each type of hook must have; it is also what the CLI shows of it. */
const TEXT_OF: Record<string, (entry: HookEntry) => string | undefined> = {
  command: ({ command, args }) => (command === undefined ? undefined : [command, ...(args ?? [])].join(' ')),
  prompt: ({ prompt }) => prompt,
  agent: ({ prompt }) => prompt,
  http: ({ url }) => url,
  mcp_tool: ({ server, tool }) => (server === undefined || tool === undefined ? undefined : `${server}/${tool}`),
};

/** The hooks of hooks/hooks.json, and those that the manifest adds. */
export function declaredHooks(root: string, manifest: Manifest): DeclaredHook[] {
  return hookSources(root, manifest).flatMap((source) => {
    if ('value' in source) return hooksOf({ root }, source.value, MANIFEST_FILE).map(withNeedOfSettings);
    const isUsual = source.file === join(root, HOOKS_FILE);
    return isUsual && !existsSync(source.file) ? [] : hooksOfFile(root, source.file).map(withNeedOfSettings);
  });
}

/** The CLI asks only the settings whether anybody wants to hear that the folder changed. */
function withNeedOfSettings(hook: DeclaredHook): DeclaredHook {
  if (hook.event !== 'CwdChanged' || hook.issue !== undefined) return hook;
  const warning = 'it runs only where the settings of the user or the project have a hook of CwdChanged, too';
  return { ...hook, warning: hook.warning ?? warning };
}

/** The hooks in the settings of a project. */
export function settingsHooks(root: string): DeclaredHook[] {
  return ['settings.json', 'settings.local.json'].flatMap((name) => {
    const file = join('.claude', name);
    // An empty file is none to the CLI.
    if ((readIfThere(join(root, file)) ?? '').trim() === '') return [];
    const { value, issue } = readJson(join(root, file), file);
    if (issue !== undefined) return [unloadable(file, '*', issue)];
    const inner = (value as { hooks?: unknown } | null)?.hooks;
    return typeof inner === 'object' && inner !== null ? hooksOf({ root, isProject: true }, inner, file) : [];
  });
}

function hooksOfFile(root: string, path: string): DeclaredHook[] {
  const file = relative(root, path);
  const { value, issue } = readJson(path, file);
  if (issue !== undefined) return [unloadable(file, '*', issue)];
  const inner = (value as { hooks?: unknown } | null)?.hooks;
  if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) return hooksOf({ root }, inner, file);
  const fix = `Put the events into one object: {"hooks": {"PreToolUse": [ … ]}}.`;
  return [unloadable(file, '*', { reason: 'it has no "hooks" object around the events', fix })];
}

function hooksOf(place: HookPlace, hooks: object, file: string): DeclaredHook[] {
  return Object.entries(hooks).flatMap(([event, groups]: [string, unknown]) => {
    if (event === 'hooks' && file === MANIFEST_FILE) {
      const fix = 'Write the events right into it: "hooks": {"PreToolUse": [ … ]}.';
      return [unloadable(file, event, { reason: 'a "hooks" object in "hooks": the CLI ignores it', fix })];
    }
    if (!Array.isArray(groups)) {
      const fix = `Write "${event}": [{"hooks": [{"type": "command", "command": "…"}]}].`;
      return [unloadable(file, event, { reason: `${event} is not a list`, fix })];
    }
    return groups.flatMap((group: unknown, index) =>
      hooksOfGroup(place, { event, group, file, at: `${event}[${index}]` }),
    );
  });
}

interface Group {
  event: string;
  group: unknown;
  file: string;
  at: string;
}

function hooksOfGroup(place: HookPlace, { event, group, file, at }: Group): DeclaredHook[] {
  const { matcher, hooks, description: _, ...ignored } = (group ?? {}) as Record<string, unknown>;
  if (!Array.isArray(hooks)) {
    const fix = `Write {"matcher": "…", "hooks": [ … ]}: the hooks are a list inside the group.`;
    return [unloadable(file, event, { reason: `${at} has no "hooks" list`, fix })];
  }
  if (matcher !== undefined && typeof matcher !== 'string') {
    const fix = 'Write the matcher as text: "Write|Edit".';
    return [unloadable(file, event, { reason: `${at} has a matcher that is not text`, fix })];
  }
  const [other] = 'if' in ignored ? ['if'] : Object.keys(ignored);
  const misplaced =
    other === undefined
      ? undefined
      : `the ${JSON.stringify(other)} beside its matcher is ignored, so it always runs: ${other === 'if' ? 'write it into the hook' : 'look at the payload in the hook'}`;
  return hooks.map((hook: unknown, index) => {
    const entry = readEntry(place, { event, matcher: matcher ?? '', file, at: `${at}.hooks[${index}]` }, hook);
    return { ...entry, ...defined({ warning: entry.warning ?? misplaced }) };
  });
}

function readEntry(
  place: HookPlace,
  { event, matcher, file, at }: { event: string; matcher: string; file: string; at: string },
  value: unknown,
): DeclaredHook {
  const base = { kind: 'hook' as const, event, matcher, file };
  const parsed = entrySchema.safeParse(value, inWords);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const reason = `${at} is not a hook: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`;
    const fix = 'Write {"type": "command", "command": "…"}; a timeout is a number of seconds.';
    return { ...base, type: '?', text: JSON.stringify(value), issue: { reason, fix } };
  }
  const { type, command, args, timeout, if: condition, async: runsAside, asyncRewake: wakesLater } = parsed.data;
  const text = TEXT_OF[type]?.(parsed.data);
  const issue = entryIssue({ event, type, at, text });
  const { issue: deadMatcher, note: warning } = lookAtMatcher(event, matcher);
  const defect =
    entryDefect(place, { ...parsed.data, matcher }) ??
    conditionDefect(event, condition) ??
    unheardDefect(event, type) ??
    deadMatcher;
  return {
    ...base,
    type,
    text: text ?? JSON.stringify(value),
    ...(type === 'command' && command !== undefined ? { command } : {}),
    ...defined({ args, timeoutSeconds: timeout, condition }),
    ...(runsAside === true || wakesLater === true ? { background: true as const } : {}),
    ...defined({ warning, issue, defect }),
  };
}

/** Why the CLI does not take it. */
function entryIssue(hook: { event: string; type: string; at: string; text: string | undefined }): Issue | undefined {
  const { event, type, at, text } = hook;
  if (!isHookEventName(event)) {
    const near = nearestWord(event, hookEventNames);
    return {
      reason: `${event} is not a hook event, so the CLI ignores it silently`,
      fix: near === undefined ? `Use one of ${hookEventNames.join(', ')}.` : `Did you mean ${near}?`,
    };
  }
  if (!TYPES.includes(type)) {
    return { reason: `${at} has the unknown type "${type}"`, fix: `Use one of ${TYPES.join(', ')}.` };
  }
  if (text !== undefined) return undefined;
  return { reason: `${at} does not say what to run`, fix: `Add what a hook of type ${type} needs.` };
}

/** Why it does nothing, though the CLI lists it. */
function entryDefect(place: HookPlace, hook: HookEntry & { matcher: string }): Issue | undefined {
  const { matcher, type, command, args } = hook;
  if (isBrokenMatcher(matcher)) {
    return {
      reason: `its matcher ${JSON.stringify(matcher)} is not a valid regular expression: it never matches`,
      fix: 'Use names with | between them, or a valid regular expression.',
    };
  }
  return type === 'command' && command !== undefined ? scriptIssue(place, command, args) : undefined;
}

/** A condition that can never hold. */
function conditionDefect(event: string, condition = ''): Issue | undefined {
  if (condition === '') return undefined;
  const written = `its "if" is ${JSON.stringify(condition)}`;
  if (!isToolEvent(event)) {
    return {
      reason: `${written}, and ${event} is about no tool: it never runs`,
      fix: 'Leave "if" out, and look at the payload in the command.',
    };
  }
  if (!neverHolds(condition)) return undefined;
  return {
    reason: `${written}, which no use of a tool meets: it never runs`,
    fix: 'Write one rule, as in "Bash(git *)", "Edit(*.ts)" or "WebFetch"; for two of them, write the hook twice.',
  };
}

function unloadable(file: string, event: string, issue: Issue): DeclaredHook {
  return { kind: 'hook', event, matcher: '', type: '?', text: file, file, issue };
}
