import { SEEN } from '@understudy/verdict';
import type { ProgramIteration } from '../../orchestrators/context-schema.js';
import type { FailedProgram, ProgramRule } from './failed-program.js';

/** An iteration ran under another hat than expected, and its events belong to yet another one. */
export const misrouted: ProgramRule = {
  type: 'AssertionMismatch',
  explain(failed) {
    const wrong = firstWrongHat(failed);
    const given = wrong?.events_given ?? [];
    if (wrong?.hat === undefined || given.length === 0 || given.some(({ hat }) => hat === wrong.hat)) return undefined;
    return {
      hypothesis: `Iteration ${wrong.iteration} ran under the hat ${wrong.hat}, and its events belong to another hat.`,
      evidence: given.map(
        ({ topic, hat }) => `prompt ${wrong.iteration} has the event ${topic}, which belongs to ${hat}`,
      ),
      investigations: ['Compare with the routing rules: target, then the most specific trigger, then the coordinator.'],
      fixes: [
        {
          description: `Give ${given.map(({ topic, hat }) => `${topic} to ${hat}`).join(', ')}`,
          confidence: SEEN,
          file_to_modify: 'the part of the orchestrator that chooses the hat of an event',
        },
      ],
    };
  },
};

function firstWrongHat(failed: FailedProgram): ProgramIteration | undefined {
  const [check] = failed.about('hats');
  return check && failed.iterations.find(({ hat }, index) => hat !== check.subject.order[index]);
}
