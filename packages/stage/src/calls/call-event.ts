import type { EventBody } from '@understudy/agents';
import { defined } from '@understudy/kit';
import type { AgentCall } from './agent-call.js';

/** The event with which the events of a call begin. */
export function callEvent(call: AgentCall): EventBody {
  const { agent, command, cwd, pid, parent, stdin, startedAt, endedAt, code, signal } = call;
  return {
    type: 'call',
    agent,
    command: [...command],
    startedAt: new Date(startedAt).toISOString(),
    ...defined({ cwd, pid, parent, stdin, code, signal }),
    ...(endedAt === undefined ? {} : { endedAt: new Date(endedAt).toISOString() }),
  };
}
