import { hookLabel } from '../../../claude-code/hooks/verdict.js';
import type { FiredVerdict } from '../hooks/fired-verdict.js';
import { systemEvent } from '../output/events.js';
import { uuid } from '../output/ids.js';
import type { Session } from '../session/session.js';

/** The transcript's line about the hooks that ran at the end of a turn. */
export function recordStopHooks(session: Session, { runs = [], block, stop, systemMessage }: FiredVerdict): void {
  if (runs.length === 0) return;
  if (systemMessage !== undefined) {
    const content = `Stop says: ${systemMessage}`;
    session.emit(systemEvent(session.id, 'informational', { content, level: 'notice' }));
  }
  session.transcript.addMessages([
    {
      type: 'system',
      subtype: 'stop_hook_summary',
      hookCount: runs.length,
      hookInfos: runs.map(({ hook, durationMs }) => ({
        command: hookLabel(hook),
        ...(block === undefined ? { durationMs } : {}),
      })),
      hookErrors: block === undefined ? [] : [block.reason],
      hookAdditionalContext: [],
      preventedContinuation: stop !== undefined,
      stopReason: stop?.reason ?? '',
      hasOutput: runs.some(({ stdout, stderr }) => `${stdout}${stderr}`.trim() !== ''),
      level: 'suggestion',
      timestamp: session.parts.clock.timestamp(),
      toolUseID: uuid(),
    },
  ]);
}
