import { type Hat, parseConfig } from '../../orchestrators/loop/config.js';
import { type LoopEvent, parseEvents } from '../../orchestrators/loop/events.js';
import { routeEvent } from '../../orchestrators/loop/routing.js';
import type { FailedCase, ReportedIteration } from './failed-case.js';
import { type Rule, SEEN } from './rule.js';

type Addressed = Pick<LoopEvent, 'topic' | 'target'>;

/** The first iteration that was another hat's than expected had events that go, by the contract, to somebody else. */
export const misrouted: Rule = {
  type: 'AssertionMismatch',
  explain(failed) {
    const hats = hatsOf(failed);
    const wrong = firstWrongHat(failed);
    if (hats === undefined || wrong === undefined) return undefined;
    const pending = [...wrong.prompt.matchAll(/^Event: (\S+)/gm)].map(([, topic = '']) => topic);
    const routes = pending.map((topic) => ({
      topic,
      to: routeEvent(eventOf(failed, topic, wrong.iteration), hats)?.id ?? 'ralph',
    }));
    if (routes.length === 0 || routes.some(({ to }) => to === wrong.hat)) return undefined;
    return {
      hypothesis: `Iteration ${wrong.iteration} was given to ${wrong.hat}, and its events go to somebody else.`,
      evidence: routes.map(({ topic, to }) => `prompt ${wrong.iteration} has the event ${topic}, which goes to ${to}`),
      investigations: [
        'Go through the rules of routing: target, then the most specific trigger, then the coordinator.',
      ],
      fixes: [
        {
          description: `Give ${routes.map(({ topic, to }) => `${topic} to ${to}`).join(', ')}`,
          confidence: SEEN,
          file_to_modify: 'the part of the orchestrator that chooses the hat of an event',
        },
      ],
    };
  },
};

function firstWrongHat(failed: FailedCase): ReportedIteration | undefined {
  const expected = failed.failures.find(({ name }) => name.startsWith('hats '))?.expected.split(' → ');
  return expected === undefined ? undefined : failed.iterations.find(({ hat }, index) => hat !== expected[index]);
}

/** The event with its target: as the agent before wrote it, else as it was published. */
function eventOf({ context, iterations }: FailedCase, topic: string, iteration: number): Addressed {
  const isOf = (event: { topic: string }) => event.topic === topic;
  const before = iterations.find((other) => other.iteration === iteration - 1);
  const written = parseEvents(before?.output ?? '').findLast(isOf) ?? context?.events_emitted.find(isOf);
  return written?.target === undefined ? { topic } : { topic, target: written.target };
}

function hatsOf({ context }: FailedCase): readonly Hat[] | undefined {
  try {
    return parseConfig(context?.config_yaml ?? '').hats;
  } catch {
    return undefined;
  }
}
