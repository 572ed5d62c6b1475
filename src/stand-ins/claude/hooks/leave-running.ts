import { lateWords } from '../../../claude-code/hooks/background.js';
import type { Hook, HookInput, HookRun } from '../../../claude-code/hooks/hook.js';
import type { Session } from '../session/session.js';
import { attachmentLine } from './attachment-line.js';

interface LeftRunning {
  hook: Hook;
  name: string;
  input: HookInput;
  ended: Promise<HookRun>;
  stop: AbortController;
  /** Tells a host how it ended. */
  tell(run: HookRun): void;
}

/** Lets a hook go on while the session does other things. */
export function leaveRunning(session: Session, { hook, name, input, ended, stop, tell }: LeftRunning): void {
  const { backgroundHooks } = session;
  const id = `async_hook_${++backgroundHooks.count}`;
  const { event } = hook;
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
