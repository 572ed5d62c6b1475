import { mkdirSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type HookEventName, hookCatalogue, hookEventNames, isHookEventName } from '../../claude-code/hooks/events.js';
import type { Hook, HookEvent, HookInput } from '../../claude-code/hooks/hook.js';
import { matcherCovers } from '../../claude-code/hooks/match.js';
import { type HookPayload, hookPayload, type PayloadContext } from '../../claude-code/hooks/payload.js';
import { runHookCommand } from '../../claude-code/hooks/run-command.js';
import { nearestWord } from '../../document/nearest.js';
import { UnderstudyError } from '../../errors.js';
import { type Environment, scrubbedEnvironment } from '../../process/environment.js';
import { createScratch } from '../../process/scratch.js';
import type { DeclaredHook } from '../declared/component.js';
import { type HookJudgement, judgeHook } from './decision.js';
import { readHooksOf } from './source.js';

export interface FireOptions extends Omit<PayloadContext, 'cwd'> {
  /** A plugin, or a project with hooks in its .claude/settings.json. */
  from: string;
  event: string;
  /** The project in which it happens; absent, an empty folder. */
  cwd?: string;
  /** More variables for the hook. */
  environment?: Environment;
}

/** One hook that was fired by hand. */
export interface FiredHook extends HookJudgement {
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
}

export interface FiredEvent {
  payload: HookPayload;
  fired: FiredHook[];
  /** Hooks of the event that did not run, each with the reason. */
  passedOver: { command: string; matcher: string; reason: string }[];
}

/** Fires all hooks of an event as the CLI would: matcher, shell, environment, folder, time limit, verdict. */
export async function fireHooks(options: FireOptions): Promise<FiredEvent> {
  const { event } = options;
  if (!isHookEventName(event)) throw unknownEvent(event);
  const { root, hooks, plugin } = readHooksOf(options.from);
  const own = hooks.filter((hook) => hook.event === event);
  if (own.length === 0) throw noHooks(event, hooks);
  const scratch = createScratch('hook');
  try {
    const cwd = realpathSync(options.cwd ?? makeFolder(scratch.path, 'project'));
    const payload = hookPayload(event, { ...options, cwd });
    const result: FiredEvent = { payload, fired: [], passedOver: [] };
    const ran = new Set<string>();
    for (const hook of own) {
      const reason = whyNot(hook, payload, ran);
      if (reason !== undefined) result.passedOver.push({ command: hook.text, matcher: hook.matcher, reason });
      else {
        ran.add(hook.text);
        const env = hookEnvironment(payload, scratch.path, plugin, options.environment);
        result.fired.push(await fireHook(hook, payload, { env, ...(plugin === undefined ? {} : { plugin, root }) }));
      }
    }
    return result;
  } finally {
    await scratch.remove();
  }
}

/** Fires one hook with a payload; whether its matcher fits is the caller's affair. */
export async function fireHook(
  declared: DeclaredHook,
  payload: HookPayload,
  { env, plugin, root }: { env: Environment; plugin?: string; root?: string },
): Promise<FiredHook> {
  const { event, matcher, command = '', args, timeoutSeconds, file, text } = declared;
  const hook: Hook = {
    event: event as HookEvent,
    matcher,
    source: plugin === undefined ? 'projectSettings' : 'plugin',
    run: { type: 'command', command, ...(args === undefined ? {} : { args }) },
    ...(timeoutSeconds === undefined ? {} : { timeoutMs: timeoutSeconds * 1000 }),
    ...(plugin === undefined || root === undefined ? {} : { plugin: { name: plugin, root } }),
  };
  const run = await runHookCommand(hook, payload as HookInput, { cwd: payload.cwd, env });
  const { stdout, stderr, exitCode, outcome, durationMs } = run;
  return {
    ...{ event: payload.hook_event_name, matcher, command: text, file },
    stdin: JSON.stringify(payload),
    ...{ stdout, stderr, exitCode, outcome, milliseconds: durationMs },
    ...judgeHook({ event, command, stdout, stderr, exitCode, outcome }),
  };
}

function whyNot(hook: DeclaredHook, payload: HookPayload, ran: ReadonlySet<string>): string | undefined {
  if (hook.trouble !== undefined) return hook.trouble.reason;
  if (hook.type !== 'command') return `it is of type ${hook.type}; only commands can be fired by hand`;
  const field = hookCatalogue[payload.hook_event_name];
  if (field !== undefined) {
    const value = String(payload[field] ?? '');
    // A watched file is named by its last part.
    const subject = field === 'file_path' ? basename(value) : value;
    if (!matcherCovers(hook.matcher, subject))
      return `its matcher ${JSON.stringify(hook.matcher)} does not cover ${subject}`;
  }
  if (hook.condition !== undefined) return `it has the condition ${hook.condition}, which only the CLI can judge`;
  return ran.has(hook.text) ? 'the same command has run already' : undefined;
}

/** The variables that the CLI gives its hooks. */
function hookEnvironment(
  payload: HookPayload,
  home: string,
  plugin: string | undefined,
  more: Environment = {},
): Environment {
  return scrubbedEnvironment({
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_CODE_SESSION_ID: payload.session_id,
    CLAUDE_PROJECT_DIR: payload.cwd,
    ...(plugin === undefined
      ? {}
      : { CLAUDE_PLUGIN_DATA: makeFolder(home, join('.claude', 'plugins', 'data', `${plugin}-inline`)) }),
    ...more,
  });
}

function makeFolder(base: string, name: string): string {
  const path = join(base, name);
  mkdirSync(path, { recursive: true });
  return path;
}

function unknownEvent(event: string): UnderstudyError {
  const near = nearestWord(event, hookEventNames);
  return new UnderstudyError('HOOK_EVENT_UNKNOWN', `${event} is no hook event`, {
    fix: near === undefined ? `Events: ${hookEventNames.join(', ')}.` : `Did you mean ${near}?`,
  });
}

function noHooks(event: string, hooks: readonly DeclaredHook[]): UnderstudyError {
  const events = [...new Set(hooks.map((hook) => hook.event))];
  return new UnderstudyError('HOOK_NONE', `there is no hook for ${event}`, {
    fix: events.length === 0 ? 'There are no hooks at all.' : `There are hooks for ${events.join(', ')}.`,
  });
}
