import type { EventOf } from '@understudy/agents';
import { pick } from '@understudy/stage';
import { type UnknownName, unknownAmong } from './known-names.js';
import type { Observed } from './observed.js';
import type { CheckResult } from './result.js';

type FinishedHook = EventOf<'hook_finished'>;

/** The agent that the user talks to. */
const MAIN = 'main';

/**
 * In which agent a hook ran: what it was given says it, and else whose call of a tool it was about. Undefined where
 * neither is known.
 */
function agentOf({ all }: Observed, { event, payload }: FinishedHook): string | undefined {
  if (payload === undefined) return undefined;
  const { agent_id, agent_type, tool_use_id } = payload;
  if (typeof agent_id === 'string') return typeof agent_type === 'string' ? agent_type : undefined;
  // These are about a subagent, and this release does not say about which.
  if (event.startsWith('Subagent')) return undefined;
  const call = pick(all, 'tool_call').find(({ id }) => id === tool_use_id);
  return call?.parent === undefined ? MAIN : call.agent;
}

/** Whether it ran in this agent; the prefix of a plugin may be left out. */
export function isOfAgent(seen: Observed, hook: FinishedHook, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  const agent = agentOf(seen, hook);
  return agent !== undefined && isNamed(wanted, agent);
}

function isNamed(wanted: string, agent: string): boolean {
  return agent === wanted || agent.endsWith(`:${wanted}`);
}

export function describeAgent(agent: string | undefined): string {
  if (agent === undefined) return '';
  return agent === MAIN ? ' in the main agent' : ` in the subagent ${agent}`;
}

/** A subagent that is not there cannot run a hook. */
export function unknownAgent({ all }: Observed, wanted: string | undefined): UnknownName[] {
  if (wanted === undefined || wanted === MAIN) return [];
  const listed = pick(all, 'session').flatMap(({ agents = [] }) => agents);
  const used = pick(all, 'subagent_started').map(({ agent }) => agent);
  return listed.length === 0 ? [] : unknownAmong([...listed, ...used], [wanted], isNamed);
}

/** The result of a check that asks for an agent, unless runs of which nobody knows the agent could change it. */
export function ifAgentsKnown(
  seen: Observed,
  named: readonly FinishedHook[],
  {
    agent,
    fired = true,
    count,
  }: { agent?: string | undefined; fired?: boolean | undefined; count?: number | undefined },
  result: CheckResult,
): CheckResult {
  const unknown = agent === undefined ? [] : named.filter((hook) => agentOf(seen, hook) === undefined);
  const isCertain = fired ? result.status === 'passed' && count === undefined : result.status === 'failed';
  if (unknown.length === 0 || isCertain) return result;
  return {
    ...result,
    status: 'unjudged',
    actual: `${named[0]?.name} ran, and nobody knows in which agent`,
    suggestion:
      'Start the conversation with `recordHooks: true`; a rehearsal does it where a hook has `agent`. Only shell commands can be recorded.',
  };
}
