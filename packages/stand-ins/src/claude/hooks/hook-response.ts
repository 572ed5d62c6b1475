import type { HookRun } from '@understudy/agents';
import { defined, type JsonObject } from '@understudy/kit';
import type { Session } from '../session/session.js';

/** Reports to a host how a hook has ended. */
export function emitResponse(session: Session, about: JsonObject, run: HookRun): void {
  const { stdout, stderr, exitCode } = { ...run, ...run.reported };
  session.out.system('hook_response', {
    ...about,
    output: run.reported?.output ?? stdout + stderr,
    stdout,
    stderr,
    ...defined({ exit_code: exitCode }),
    outcome: run.outcome,
  });
}
