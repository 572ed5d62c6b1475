import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import {
  CLAUDE_VERSION,
  childVariables,
  conditionHolds,
  envFile,
  envFolder,
  type Hook,
  type HookEventName,
  type HookInput,
  type HookJudgment,
  hookCommand,
  hookEventFacts,
  hookEventNames,
  hookPayload,
  hookRun,
  inlineId,
  isHookEventName,
  isToolEvent,
  judgeHook,
  matcherCovers,
  matcherFires,
  matcherNames,
  matcherSubjects,
  matcherSubjectsOf,
  type PayloadContext,
  pluginVariables,
  useThatMeets,
} from '@understudy/agents';
import {
  createScratch,
  defined,
  type Environment,
  makeFolder,
  nearestWord,
  runWithInput,
  scrubbedEnvironment,
  UnderstudyError,
} from '@understudy/kit';
import type { IsolationState } from '../../isolation/level.js';
import type { Isolation } from '../../isolation/provider.js';
import type { DeclaredHook } from '../declared/component.js';
import { isolateLook, type LookIsolation, stateOf, triedIn } from '../loaded/isolate.js';
import { type HookSource, readHooksOf } from './source.js';

export interface FireOptions extends Omit<PayloadContext, 'cwd'>, LookIsolation {
  /** A plugin, or a project with hooks in its .claude/settings.json. */
  from: string;
  event: string;
  /** These hooks instead of all that it has. */
  hooks?: readonly DeclaredHook[];
  /** The project in which it happens; absent, an empty folder. */
  cwd?: string;
  /** More variables for the hook. */
  environment?: Environment;
  /** Ends hooks that may take longer than this. */
  maxSeconds?: number;
}

/** One hook that was fired by hand. */
export interface FiredHook extends HookJudgment {
  event: HookEventName;
  matcher: string;
  command: string;
  file: string;
  stdin: string;
  stdout: string;
  stderr: string;
  exitCode: number;
  outcome: 'success' | 'error' | 'cancelled';
  milliseconds: number;
  /** What it tried outside of its sandbox, which did not succeed. Absent where nothing was seen. */
  tried?: string[];
}

export interface FiredEvent {
  /** How far its hooks were kept apart from this machine. */
  isolation: IsolationState;
  payload: HookInput;
  fired: FiredHook[];
  /** Hooks of the event that did not run, each with the reason. */
  passedOver: { command: string; matcher: string; reason: string }[];
}

/** Fires all hooks of an event as the CLI would: matcher, shell, environment, folder, timeout, verdict. */
export async function fireHooks(options: FireOptions): Promise<FiredEvent> {
  const { event } = options;
  if (!isHookEventName(event)) throw unknownEvent(event);
  const source = readHooksOf(options.from);
  const own = (options.hooks ?? source.hooks).filter((hook) => hook.event === event);
  if (own.length === 0) throw noHooks(event, source.hooks);
  const scratch = createScratch('hook');
  let isolation: Isolation | undefined;
  try {
    const cwd = realpathSync(options.cwd ?? makeFolder(join(scratch.path, 'project')));
    isolation = await isolateLook(options, { writable: [scratch.path, cwd], readable: [source.root], ports: [] });
    const payload = hookPayload(event, { ...options, cwd });
    const result: FiredEvent = { isolation: stateOf(isolation), payload, fired: [], passedOver: [] };
    const ran = new Set<string>();
    for (const hook of own) {
      const skipped = skipReason(hook, payload, ran);
      if (skipped !== undefined) result.passedOver.push({ command: hook.text, matcher: hook.matcher, reason: skipped });
      else {
        ran.add(identityOf(hook));
        const env = hookEnvironment(payload, scratch.path, source, options.environment);
        const { maxSeconds } = options;
        const timeoutSeconds = Math.min(
          hook.timeoutSeconds ?? Number.POSITIVE_INFINITY,
          maxSeconds ?? Number.POSITIVE_INFINITY,
        );
        const limited = Number.isFinite(timeoutSeconds) ? { ...hook, event, timeoutSeconds } : { ...hook, event };
        result.fired.push(await fireHook(limited, payload, source, { env, isolation }));
      }
    }
    return result;
  } finally {
    await isolation?.close();
    await scratch.remove();
  }
}

/** Fires each hook command of a folder once, with a payload that its matcher fits; what cannot be fired is left out. */
export async function fireEach(
  from: string,
  options: LookIsolation = {},
): Promise<{ hook: DeclaredHook; fired: FiredHook }[]> {
  const source = readHooksOf(from);
  const scratch = createScratch('hook');
  const results: { hook: DeclaredHook; fired: FiredHook }[] = [];
  let isolation: Isolation | undefined;
  try {
    isolation = await isolateLook(options, { writable: [scratch.path], readable: [source.root], ports: [] });
    for (const hook of source.hooks) {
      const { event, issue, type, condition = '' } = hook;
      if (!isHookEventName(event) || issue !== undefined || type !== 'command') continue;
      const cwd = realpathSync(makeFolder(join(scratch.path, 'project')));
      const payload = meetingPayload(event, condition, fittingPayload(event, hook.matcher, cwd));
      if (!conditionHolds(condition, payload)) continue;
      const env = hookEnvironment(payload, scratch.path, source);
      results.push({ hook, fired: await fireHook({ ...hook, event }, payload, source, { env, isolation }) });
    }
    return results;
  } finally {
    await isolation?.close();
    await scratch.remove();
  }
}

/** A payload about something that the matcher covers; the usual one where we know nothing that it covers. */
function fittingPayload(event: HookEventName, matcher: string, cwd: string): HookInput {
  const usual = hookPayload(event, { cwd });
  if (matcherFires(matcher, usual)) return usual;
  const { matches } = hookEventFacts(event);
  const named = matcherNames(matcher) ?? [];
  const subject = [...(matcherSubjectsOf(event)?.known ?? []), ...named].find((one) => matcherCovers(matcher, one));
  if (subject === undefined || matches === undefined) return usual;
  return hookPayload(event, isToolEvent(event) ? { cwd, tool: subject } : { cwd, fields: { [matches]: subject } });
}

/** A payload that meets the condition, as far as one can be made up. */
function meetingPayload(event: HookEventName, condition: string, payload: HookInput): HookInput {
  if (conditionHolds(condition, payload)) return payload;
  const { cwd } = payload;
  const use = useThatMeets(condition, cwd);
  return use === undefined ? payload : hookPayload(event, { cwd, ...use });
}

/** Fires one hook with a payload; the caller has found that its matcher fits. */
async function fireHook(
  declared: DeclaredHook & { event: HookEventName },
  payload: HookInput,
  { plugin, root }: HookSource,
  { env, isolation }: { env: Environment; isolation: Isolation },
): Promise<FiredHook> {
  const { event, matcher, command = '', args, timeoutSeconds, file, text } = declared;
  const hook: Hook = {
    event,
    matcher,
    source: plugin === undefined ? 'projectSettings' : 'plugin',
    run: { type: 'command', command, ...defined({ args }) },
    ...(timeoutSeconds === undefined ? {} : { timeoutMs: timeoutSeconds * 1000 }),
    ...(plugin === undefined ? {} : { plugin: { id: inlineId(plugin), name: plugin, root } }),
  };
  const ended = await runWithInput({
    ...hookCommand(hook, payload, { env }),
    cwd: payload.cwd,
    enclosure: isolation.enclosure,
    leftRunning: 'all',
  });
  const { stdout, stderr, exitCode, outcome, durationMs } = hookRun(hook, ended);
  const tried = triedIn(isolation, [{ command: text, stdout, stderr }]);
  const { problem, ...judged } = judgeHook({ event, label: command, stdout, stderr, exitCode, outcome });
  return {
    ...{ event, matcher, command: text, file },
    stdin: JSON.stringify(payload),
    ...{ stdout, stderr, exitCode, outcome, milliseconds: durationMs },
    ...judged,
    // Nobody waits for what a hook in the background decides.
    ...(declared.background === true ? {} : defined({ problem })),
    ...(tried.length === 0 ? {} : { tried }),
  };
}

/** The same command runs once, unless on another condition. */
function identityOf({ text, condition = '' }: DeclaredHook): string {
  return `${condition}\0${text}`;
}

/** Why a hook does not run for this payload. */
function skipReason(hook: DeclaredHook, payload: HookInput, ran: ReadonlySet<string>): string | undefined {
  if (hook.issue !== undefined) return hook.issue.reason;
  if (hook.type !== 'command') return `it is of type ${hook.type}; only commands can be fired by hand`;
  if (!matcherFires(hook.matcher, payload)) {
    const [subject] = matcherSubjects(payload) ?? [];
    return `its matcher ${JSON.stringify(hook.matcher)} does not cover ${subject}`;
  }
  if (!conditionHolds(hook.condition ?? '', payload)) return `its condition ${hook.condition} does not hold`;
  return ran.has(identityOf(hook)) ? 'the same command has run already' : undefined;
}

/** The variables that the CLI gives its hooks. */
function hookEnvironment(
  payload: HookInput,
  home: string,
  { plugin: name, root }: HookSource,
  more: Environment = {},
): Environment {
  const configFolder = join(home, '.claude');
  const own = name === undefined ? undefined : pluginVariables({ id: inlineId(name), root }, configFolder, payload.cwd);
  if (own !== undefined) makeFolder(own.CLAUDE_PLUGIN_DATA);
  const file = envFile(makeFolder(envFolder(configFolder, payload.session_id)), payload.hook_event_name, 0);
  return scrubbedEnvironment({
    HOME: home,
    CLAUDE_CONFIG_DIR: configFolder,
    ...childVariables('hook', {
      sessionId: payload.session_id,
      projectDir: payload.cwd,
      notesDir: makeFolder(join(home, 'started')),
      version: CLAUDE_VERSION,
    }),
    ...own,
    ...defined({ CLAUDE_ENV_FILE: file }),
    ...more,
  });
}

function unknownEvent(event: string): UnderstudyError {
  const near = nearestWord(event, hookEventNames);
  return new UnderstudyError('HOOK_EVENT_UNKNOWN', `${event} is not a hook event`, {
    fix: near === undefined ? `Use one of ${hookEventNames.join(', ')}.` : `Did you mean ${near}?`,
  });
}

function noHooks(event: string, hooks: readonly DeclaredHook[]): UnderstudyError {
  const events = [...new Set(hooks.map((hook) => hook.event))];
  return new UnderstudyError('HOOK_NONE', `there is no hook for ${event}`, {
    fix: events.length === 0 ? 'Add hooks: there are none.' : `Use an event that has hooks: ${events.join(', ')}.`,
  });
}
