import type { ConversationEvent } from '@understudy/agents';
import { describeCut } from '@understudy/kit';
import { pick } from '@understudy/stage';
import type { CheckResult } from './result.js';

/** What was written after a cut was not seen, so nothing that was expected of it can be judged. No check without a cut. */
export function checkOutputCut(events: readonly ConversationEvent[]): CheckResult[] {
  return pick(events, 'output_cut').flatMap(({ scope, limitBytes, turn }): CheckResult[] => {
    if (scope === 'requests') return [];
    return [
      {
        name: 'output',
        category: 'output',
        subject: { kind: 'turn' },
        status: 'unjudged',
        expected: 'all output of the agent is read',
        actual: `${describeCut({ scope, limitBytes })} (turn ${turn}): the agent was stopped`,
        evidence: [],
        suggestion:
          'Make the agent, its tools and its hooks write less, or raise the limit (`limits.turn_mb`, `limits.conversation_mb`).',
      },
    ];
  });
}
