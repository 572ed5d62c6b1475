import { matcherCovers } from '@understudy/agents';
import type { DeclaredHook } from '@understudy/stage';
import { type Part, ruleFor } from './part.js';
import type { HookTrial } from './try-hooks.js';

/** Events of which a step can be written without a tool: the conversation is compacted, a subagent works. */
export const SESSION_EVENTS = ['PreCompact', 'PostCompact', 'SubagentStart', 'SubagentStop'];

const COMPACTION_EVENTS = ['PreCompact', 'SessionStart', 'PostCompact'];

/** Subagents that every Claude Code has. */
const AGENTS = ['general-purpose', 'Explore', 'Plan'];

/** A step in which the conversation is compacted, where a hook runs then that does not run at the start, too. */
export async function compactionPart(
  hooks: readonly DeclaredHook[],
  trial: HookTrial | undefined,
): Promise<Part | undefined> {
  const events = COMPACTION_EVENTS.filter((event) =>
    hooks.some((hook) => hook.event === event && runsThen(hook, event)),
  );
  if (events.length === 0) return undefined;
  const fired = events.includes('PreCompact') ? ((await trial?.tryEvent('PreCompact'))?.fired ?? []) : [];
  const isStopped = fired.some(({ blocked }) => blocked);
  return {
    name: isStopped
      ? 'PreCompact stops a compaction'
      : `${events.join(', ')}: hooks run when the conversation is compacted`,
    rules: [],
    send: '/compact',
    expect: {
      hooks: isStopped
        ? [{ event: 'PreCompact', on: 'manual', blocked: true }]
        : events.map((event) => ({
            ...{ event, on: event === 'SessionStart' ? 'compact' : 'manual' },
            ...(event === 'PreCompact' ? { blocked: false } : {}),
          })),
    },
    isUnlike: true,
    needsTurn: true,
  };
}

function runsThen({ matcher }: DeclaredHook, event: string): boolean {
  if (event === 'SessionStart') return matcherCovers(matcher, 'compact') && !matcherCovers(matcher, 'startup');
  return matcherCovers(matcher, 'manual');
}

/** A step in which a subagent works; nothing where the matchers name none that every Claude Code has. */
export function subagentPart(hooks: readonly DeclaredHook[]): Part | undefined {
  const own = hooks.filter(({ event }) => event === 'SubagentStart' || event === 'SubagentStop');
  const agent = AGENTS.find((name) => own.some(({ matcher }) => matcherCovers(matcher, name)));
  if (agent === undefined) return undefined;
  const events = ['SubagentStart', 'SubagentStop'].filter((event) =>
    own.some((hook) => hook.event === event && matcherCovers(hook.matcher, agent)),
  );
  const send = `Let the subagent ${agent} look.`;
  const prompt = 'Look, and say what you see.';
  const input = { description: 'Look', subagent_type: agent, prompt, run_in_background: false };
  return {
    name: `${events.join(', ')}: hooks run for a subagent`,
    rules: [
      { pattern: { type: 'contains', text: prompt }, when: { agent }, response: 'I see nothing new.' },
      ruleFor(send, { tool_calls: [{ tool: 'Agent', input }], then: 'It has looked.' }),
    ],
    send,
    expect: { subagents: [agent], hooks: events.map((event) => ({ event })) },
  };
}
