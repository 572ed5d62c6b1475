import { type Hook, type HookRun, lateWords } from '@understudy/agents';
import type { Session } from '../session/session.js';
import { attachmentLine } from './attachment-line.js';

interface LeftRunning {
  hook: Hook;
  name: string;
  ended: Promise<HookRun>;
  stop: AbortController;
  /** Reports to a host how it ended. */
  tell(run: HookRun): void;
}

/** Lets a hook go on while the session does other things. */
export function leaveRunning(session: Session, { hook, name, ended, stop, tell }: LeftRunning): void {
  const { background } = session;
  const { event } = hook;
  const keep = (run: HookRun): void => {
    tell(run);
    const notes = lateWords(run.stdout);
    if (notes.length === 0) return;
    const attachment = { type: 'async_hook_response', hookName: name, hookEvent: event };
    const line = attachmentLine(attachment, notes, session.parts.clock.timestamp());
    background.say({ line, note: notes.join('\n') });
  };
  background.hooks.add({ event, ended: ended.then(keep), stop });
}
