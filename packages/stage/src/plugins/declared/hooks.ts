import { join, relative } from 'node:path';
import {
  HOOKS_FILE,
  hookDocuments,
  hookEventNames,
  hookPlaces,
  isBrokenMatcher,
  isHookEventName,
  isToolEvent,
  MANIFEST_FILE,
  neverHolds,
  type PluginDocument,
  readDocument,
} from '@understudy/agents';
import { defined, inWords, isObject, type JsonObject, nearestWord, readIfThere } from '@understudy/kit';
import * as z from 'zod/mini';
import { unsupportedTypeDefect } from './asking-hook.js';
import type { DeclaredHook, Issue } from './component.js';
import { lookAtMatcher } from './dead-matcher.js';
import { documentIssue } from './json-file.js';
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
  return hookDocuments(root, manifest).flatMap((document) => {
    const { file, value, problem } = document;
    if (file === undefined) return hooksOf({ root }, value as JsonObject, MANIFEST_FILE).map(withNeedOfSettings);
    if (problem === 'missing' && file === join(root, HOOKS_FILE)) return [];
    return hooksIn({ root }, document, relative(root, file)).map(withNeedOfSettings);
  });
}

/** The CLI looks only at the settings for hooks that want to know that the folder changed. */
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
    const document = readDocument(join(root, file));
    const inner = (document.value as { hooks?: unknown } | null | undefined)?.hooks;
    const isNone = document.problem === undefined && (typeof inner !== 'object' || inner === null);
    return isNone ? [] : hooksIn({ root, isProject: true }, document, file);
  });
}

function hooksIn(place: HookPlace, document: PluginDocument, file: string): DeclaredHook[] {
  const issue = documentIssue(document, file);
  if (issue !== undefined) return [unloadable(file, '*', issue)];
  const inner = (document.value as { hooks?: unknown } | null)?.hooks;
  if (isObject(inner) || (place.isProject && Array.isArray(inner))) return hooksOf(place, inner, file);
  const fix = `Put the events into one object: {"hooks": {"PreToolUse": [ … ]}}.`;
  return [unloadable(file, '*', { reason: 'it has no "hooks" object around the events', fix })];
}

function hooksOf(place: HookPlace, hooks: object, file: string): DeclaredHook[] {
  const nested = file === MANIFEST_FILE && 'hooks' in hooks ? [nestedHooks(file)] : [];
  return [
    ...nested,
    ...hookPlaces(hooks).flatMap((found): DeclaredHook[] => {
      const { kind, event, at, value } = found;
      if (nested.length > 0 && event === 'hooks') return [];
      if (kind === 'hook') return [withMisplaced(readEntry(place, { ...found, file }), found.group)];
      const issue = kind === 'group' ? groupIssue(at, value) : listIssue(event);
      return [unloadable(file, event, issue)];
    }),
  ];
}

function nestedHooks(file: string): DeclaredHook {
  const fix = 'Write the events right into it: "hooks": {"PreToolUse": [ … ]}.';
  return unloadable(file, 'hooks', { reason: 'a "hooks" object in "hooks": the CLI ignores it', fix });
}

function listIssue(event: string): Issue {
  const fix = `Write "${event}": [{"hooks": [{"type": "command", "command": "…"}]}].`;
  return { reason: `${event} is not a list`, fix };
}

function groupIssue(at: string, group: unknown): Issue {
  if (isObject(group) && Array.isArray(group['hooks'])) {
    return { reason: `${at} has a matcher that is not text`, fix: 'Write the matcher as text: "Write|Edit".' };
  }
  const fix = `Write {"matcher": "…", "hooks": [ … ]}: the hooks are a list inside the group.`;
  return { reason: `${at} has no "hooks" list`, fix };
}

/** What stands beside the matcher of a group is passed over. */
function withMisplaced(hook: DeclaredHook, group: JsonObject): DeclaredHook {
  const ignored = Object.keys(group).filter((key) => !['matcher', 'hooks', 'description'].includes(key));
  const [other] = ignored.includes('if') ? ['if'] : ignored;
  if (other === undefined || hook.warning !== undefined) return hook;
  const advice = other === 'if' ? 'write it into the hook' : 'look at the payload in the hook';
  const warning = `the ${JSON.stringify(other)} beside its matcher is ignored, so it always runs: ${advice}`;
  return { ...hook, warning };
}

function readEntry(
  place: HookPlace,
  {
    event,
    matcher,
    file,
    at,
    path,
    value,
  }: Record<'event' | 'matcher' | 'file' | 'at' | 'path', string> & { value: unknown },
): DeclaredHook {
  const base = { kind: 'hook' as const, event, matcher, file, path };
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
    unsupportedTypeDefect(event, type) ??
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
