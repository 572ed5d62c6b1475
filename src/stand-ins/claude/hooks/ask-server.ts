import type { Hook, HookInput, HookRun, ToolHook, WebHook } from '../../../claude-code/hooks/hook.js';
import { milliseconds } from '../../shared/stopwatch.js';
import type { Session } from '../session/session.js';
import { askWeb } from './ask-web.js';
import { callTool } from './call-tool.js';
import { waitingFor } from './waiting.js';

/** Runs a hook that asks a server, no longer than it may take. */
export async function askServer(
  session: Session,
  hook: Hook,
  asked: WebHook | ToolHook,
  input: HookInput,
  interrupt: AbortSignal | undefined,
): Promise<HookRun> {
  const { signal } = waitingFor(session, hook, interrupt);
  const started = milliseconds();
  try {
    const run =
      asked.type === 'http'
        ? await askWeb(session, hook, asked, input, signal)
        : await callTool(session, hook, asked, input, signal);
    return { ...run, durationMs: milliseconds() - started };
  } catch (error) {
    if (!signal.aborted) throw error;
    const told = { output: 'Hook cancelled', exitCode: undefined };
    return {
      hook,
      stdout: '',
      stderr: '',
      exitCode: 1,
      outcome: 'cancelled',
      durationMs: milliseconds() - started,
      told,
    };
  }
}
