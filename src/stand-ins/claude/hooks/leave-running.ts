import { lateWords, wakeNotice } from '../../../claude-code/hooks/background.js';
import type { Hook, HookInput, HookRun } from '../../../claude-code/hooks/hook.js';
import { enqueueNotice, recordWaiting } from '../session/queue-notice.js';
import type { Session } from '../session/session.js';
import { attachmentLine } from './attachment-line.js';

/** How the CLI does not wait for a hook: it reads what the hook says later, or the hook may wake the agent. */
export type BackgroundKind = 'async' | 'rewake';

/** A hook that may wake the agent is waited for in print mode, where nobody is there after the turn. */
export function backgroundKind({ host }: Session, { background, rewake }: Hook): BackgroundKind | undefined {
  if (rewake !== undefined && (host !== undefined || background === true)) return 'rewake';
  return background === true ? 'async' : undefined;
}

interface LeftRunning {
  hook: Hook;
  name: string;
  input: HookInput;
  kind: BackgroundKind;
  ended: Promise<HookRun>;
  stop: AbortController;
  /** Tells a host how it ended. */
  tell(run: HookRun): void;
}

/** Lets a hook go on while the session does other things. */
export function leaveRunning(session: Session, { hook, name, input, kind, ended, stop, tell }: LeftRunning): void {
  const { backgroundHooks } = session;
  const id = `async_hook_${++backgroundHooks.count}`;
  const { event } = hook;
  if (kind === 'rewake') {
    backgroundHooks.add({ event, ended: ended.then((run) => wake(session, name, timedOut(run), tell)) });
    return;
  }
  const keep = (run: HookRun): void => {
    tell(run);
    const words = lateWords(id, name, input, run);
    if (words === undefined) return;
    const { attachment, notes } = words;
    const line = attachmentLine(attachment, notes, session.parts.clock.timestamp());
    session.lateWords.push({ line, ...(notes.length === 0 ? {} : { note: notes.join('\n') }) });
  };
  backgroundHooks.add({ event, ended: ended.then(keep), stop });
}

/** A hook in the background that takes too long ends as a program does that is told to. */
function timedOut(run: HookRun): HookRun {
  return run.outcome === 'cancelled' ? { ...run, outcome: 'error', exitCode: 143 } : run;
}

function wake(session: Session, name: string, run: HookRun, tell: LeftRunning['tell']): void {
  const text = wakeNotice(run.hook, name, run);
  // At the end of the session the CLI still waits for the hook, and only writes down what it wanted.
  if (session.backgroundHooks.isEnding) {
    if (text !== undefined) recordWaiting(session, text);
    return;
  }
  tell(run);
  if (text === undefined) return;
  enqueueNotice(session, { text, fromHook: true, reminders: [] });
  session.onBackgroundEnd();
}
