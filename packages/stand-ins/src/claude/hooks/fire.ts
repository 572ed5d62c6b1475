import {
  announcesBackground,
  combineVerdicts,
  type Hook,
  type HookEventName,
  type HookInput,
  type HookRun,
  hookAttachments,
  hookCommand,
  hookEventFacts,
  hookLabel,
  hookRun,
  hookText,
  interpretRun,
  isUnreported,
  isUnsupportedType,
  matchingHooks,
  reportedRun,
} from '@understudy/agents';
import { defined, exitOnSignals, isObject, isOwned, type JsonObject, runWithInput } from '@understudy/kit';
import { recordUnsupported } from '../../shared/record-call.js';
import { milliseconds } from '../../shared/stopwatch.js';
import { writeOut } from '../../shared/write-out.js';
import { uuid } from '../output/ids.js';
import { REFUSED } from '../refused.js';
import { envFileFor, pluginEnvironment } from '../session/env-files.js';
import type { Session } from '../session/session.js';
import { attachmentLine } from './attachment-line.js';
import type { FiredVerdict } from './fired-verdict.js';
import { HookProgress } from './hook-progress.js';
import { emitResponse } from './hook-response.js';
import { leaveRunning } from './leave-running.js';

/** Fires an event: runs all hooks that match, in parallel, and combines their verdicts. */
export async function fireHooks(
  session: Session,
  event: HookEventName,
  fields: JsonObject,
  signal?: AbortSignal,
  onStarted?: () => void,
): Promise<FiredVerdict> {
  const input = session.hookInput(event, fields);
  const hooks = matchingHooks(session.hooks, input).filter(
    ({ run }) => run.type !== 'http' || !isUnsupportedType(event, run.type),
  );
  if (hooks.length === 0) return {};
  exitOnSignals();
  const name = hookName(input);
  const shown = isShown(event, session.parts.options.includeHookEvents);
  const ended: HookRun[] = [];
  const running = hooks.map(async (hook, at) => {
    const run = await runOne(session, hook, input, { name, shown, signal, at });
    ended.push(run);
    return run;
  });
  onStarted?.();
  const runs = await Promise.all(running);
  const fault = runs.find((run) => run.fault !== undefined)?.fault;
  if (fault !== undefined) return { fault, runs };
  record(session, input, name, runs);
  if (event === 'SessionEnd') complainOfFailures(runs);
  if (event !== 'PreToolUse') return { ...combineVerdicts(runs.map(interpretRun)), runs };
  // The last of several objections to a tool counts.
  const verdicts = ended.map(interpretRun);
  const block = verdicts.findLast((verdict) => verdict.block !== undefined)?.block;
  return { ...combineVerdicts(verdicts), ...defined({ block }), runs };
}

/** No other output can report any more that a hook has failed. */
function complainOfFailures(runs: readonly HookRun[]): void {
  for (const { hook, exitCode, stderr, hasWrongOutput } of runs)
    if ((exitCode !== 0 || hasWrongOutput) && stderr.trim() !== '')
      writeOut(2, `SessionEnd hook [${hookLabel(hook)}] failed: ${stderr}\n`);
}

/** The real CLI shows hooks of the start in the stream even without --include-hook-events. */
function isShown(event: HookEventName, includeHookEvents: boolean): boolean {
  return hookEventFacts(event).place === 'start' || (includeHookEvents && !isUnreported(event));
}

function hookName(input: HookInput): string {
  const event = input.hook_event_name;
  const { matches, namedBySubject } = hookEventFacts(event);
  return namedBySubject === true && matches !== undefined ? `${event}:${String(input[matches])}` : event;
}

/** As long as a timer can wait: the CLI does not limit a hook that it does not wait for. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

interface Firing {
  /** Its place among the hooks that run. */
  at: number;
  name: string;
  shown: boolean;
  signal: AbortSignal | undefined;
}

async function runOne(
  session: Session,
  hook: Hook,
  input: HookInput,
  { name, shown, signal, at }: Firing,
): Promise<HookRun> {
  if ('prompt' in hook.run) {
    const { ask } = await import('./ask.js');
    return ask(session, hook, hook.run, input, { name, shown });
  }
  const refused = refusedKind(hook);
  if (refused !== undefined) {
    recordUnsupported(`${refused} ${hook.event}: ${hookLabel(hook)}.`);
    // What waits for it must not go on as if it had agreed.
    return { hook, stdout: '', stderr: '', exitCode: 0, outcome: 'success', durationMs: 0, fault: refused };
  }
  if (hook.run.type === 'callback') {
    const { callBack } = await import('./call-back.js');
    return callBack(session, hook, hook.run, input, signal);
  }
  const id = uuid();
  const about = { hook_id: id, hook_name: name, hook_event: hook.event };
  if (shown) session.out.system('hook_started', about);
  const tell = (run: HookRun): HookRun => {
    if (shown) emitResponse(session, about, run);
    return run;
  };
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  signal?.addEventListener('abort', abort, { once: true });
  let announce: (run: undefined) => void = () => {};
  const announced = new Promise<undefined>((resolve) => {
    announce = resolve;
  });
  const progress = shown ? new HookProgress(session, about) : undefined;
  const ended = runCommand(session, hook, input, {
    signal: stop.signal,
    isLimited: hook.background !== true,
    at,
    onOutput: (stdout, stderr) => {
      progress?.push(stdout, stderr);
      if (announcesBackground(stdout)) announce(undefined);
    },
  }).finally(() => progress?.end());
  const run = hook.background === true ? undefined : await Promise.race([ended, announced]);
  signal?.removeEventListener('abort', abort);
  if (run !== undefined) return tell(reportedRun(run));
  leaveRunning(session, { hook, name, ended, stop, tell });
  return { hook, stdout: '', stderr: '', exitCode: 0, outcome: 'success', durationMs: 0, inBackground: true };
}

function refusedKind({ run, rewake }: Hook): string | undefined {
  if (run.type === 'http') return REFUSED.webHooks;
  if (run.type === 'mcp_tool') return REFUSED.toolHooks;
  return rewake === undefined ? undefined : REFUSED.wakingHooks;
}

interface CommandRun {
  signal: AbortSignal;
  /** It has a timeout. */
  isLimited: boolean;
  /** Its place among the hooks that run. */
  at: number;
  onOutput(stdout: string, stderr: string): void;
}

async function runCommand(
  session: Session,
  hook: Hook,
  input: HookInput,
  { isLimited, at, ...run }: CommandRun,
): Promise<HookRun> {
  const defaultTimeoutMs = session.parts.script.scenario.document.timeouts?.hook_timeout_ms;
  const command = hookCommand(hook, input, { env: environmentOf(session, hook, input, at), defaultTimeoutMs });
  // The real CLI leaves running what a hook has started. Here that is so where somebody ends it after us.
  const leftRunning = isOwned() ? ('stays' as const) : ('group' as const);
  const started = milliseconds();
  const timeoutMs = isLimited ? command.timeoutMs : NO_TIMEOUT_MS;
  const ended = await runWithInput({ ...command, ...run, timeoutMs, cwd: session.folder, leftRunning });
  return { ...hookRun(hook, ended), durationMs: milliseconds() - started };
}

/** What a hook finds in its environment. A turn of the model has an effort, and a plugin has a folder. */
function environmentOf(session: Session, { plugin, event }: Hook, input: HookInput, at: number): NodeJS.ProcessEnv {
  const { effort } = input;
  const level = isObject(effort) && typeof effort['level'] === 'string' ? effort['level'] : undefined;
  return {
    ...session.childEnvironment('hook', level),
    ...(plugin === undefined ? {} : pluginEnvironment(plugin, session.parts)),
    ...defined({ CLAUDE_ENV_FILE: envFileFor(session, event, at) }),
  };
}

/** Writes down what hooks said, and keeps the part for the model. */
function record(session: Session, input: HookInput, name: string, runs: readonly HookRun[]): void {
  if (hookEventFacts(input.hook_event_name).unseen) return;
  const toolUseId = typeof input['tool_use_id'] === 'string' ? input['tool_use_id'] : uuid();
  // What hooks said at the start of an earlier process is in the conversation already.
  const said = hookAttachments(name, runs, toolUseId).filter(
    ({ attachment }) =>
      input.hook_event_name !== 'SessionStart' || !session.conversation.known.has(hookText(attachment)),
  );
  const timestamp = session.parts.clock.timestamp();
  const lines = said.map(({ attachment, note }) =>
    attachmentLine(attachment, note === undefined ? [] : [note], timestamp),
  );
  session.atWork.notes.push(...said.flatMap(({ note }) => note ?? []));
  switch (input.hook_event_name) {
    case 'SessionStart':
      session.conversation.hookedAtStart = true;
      session.transcript.hold(lines);
      break;
    // The transcript of a subagent begins when it does.
    case 'SubagentStart':
      session.out.writing.hold(lines);
      break;
    // Hooks see a prompt before it is written.
    case 'UserPromptSubmit':
      session.turn.hookLinesOfPrompt.push(...lines);
      break;
    case 'UserPromptExpansion':
      session.turn.hookLinesOfExpansion.push(...lines);
      break;
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'Stop':
    case 'SubagentStop':
      session.atWork.hookLinesOfResult.push(...lines);
      break;
    case 'PreToolUse': {
      const stops = (line: (typeof lines)[number]): boolean => line.attachment.type === 'hook_stopped_continuation';
      session.atWork.hookLinesOfTool.push(...lines.filter((line) => !stops(line)));
      session.atWork.hookLinesOfResult.push(...lines.filter(stops));
      break;
    }
    // Nothing is written about hooks that receive a refusal; for those that are asked, their decision is.
    // What hooks of a compaction say is in what `/compact` prints.
    case 'PermissionDenied':
    case 'PermissionRequest':
    case 'PreCompact':
    case 'PostCompact':
      break;
    default:
      session.out.write(lines);
  }
}
