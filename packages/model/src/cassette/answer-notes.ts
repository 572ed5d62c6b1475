import { defined } from '@understudy/kit';
import type { Notes } from '../server/responder.js';
import type { ReadAnswer } from './read-answer.js';

/** What the journal says of an answer of a real model. */
export function answerNotes({ text, thinking, tools, stop, error }: ReadAnswer, status: number): Notes {
  if (status >= 400 || error !== undefined)
    return { kind: 'failure', failure: `HTTP ${status}`, problem: error ?? `HTTP ${status}`, status };
  return {
    kind: 'answer',
    status,
    answer: {
      text,
      ...defined({ thinking }),
      tools: tools.map(({ id, name, input }) => ({ id, tool: name, name, input })),
      stop,
    },
  };
}
