import type { EventBody, TurnVerdict } from '@understudy/agents';
import { defined, isObject } from '@understudy/kit';
import { type JournalEntry, readTold } from '@understudy/model';
import { type StandInEntry, toldIn } from '../conversation/stand-in-log.js';
import type { CallDetails } from './agent-call.js';

/** What a stand-in wrote into its log about a call. */
export function detailsFromLog(entries: readonly StandInEntry[]): CallDetails | undefined {
  const last = entries.at(-1);
  if (last === undefined) return undefined;
  const events = entries.flatMap((entry, number): EventBody[] => [
    ...(entry.tools ?? []).flatMap(({ name: tool, input, is_error }, index): EventBody[] => {
      const id = `${number}.${index}`;
      return [
        { type: 'tool_call', id, tool, input: isObject(input) ? input : {} },
        { type: 'tool_result', id, tool, text: '', status: is_error ? 'error' : 'ok' },
      ];
    }),
    ...(entry.outcome === 'success' && entry.result !== undefined
      ? [{ type: 'text', text: entry.result } as const]
      : []),
  ]);
  return {
    events,
    verdict: verdictOf(last),
    told: toldIn(entries) ?? { unknown: 'this stand-in does not record it' },
    ...defined({ prompt: entries[0]?.prompt }),
  };
}

function verdictOf({ outcome, failure, result, unanswered }: StandInEntry): TurnVerdict {
  if (outcome === 'success' || outcome === 'local_command') return { outcome: 'completed' };
  const message = unanswered?.[0]?.message ?? result;
  return { outcome: 'failed', reason: failure ?? outcome ?? 'failed', ...defined({ message }) };
}

/** What the requests of a call to the model server show. */
export function detailsFromJournal(entries: readonly JournalEntry[]): CallDetails | undefined {
  const asked = entries.filter(({ kind }) => kind === 'answer' || kind === 'failure' || kind === 'unanswered');
  const last = asked.at(-1);
  if (last === undefined) return undefined;
  const tools = new Map(
    asked.flatMap(({ answer }) => (answer?.tools ?? []).map(({ id, name }) => [id, name] as const)),
  );
  const events = asked.flatMap((entry): EventBody[] => {
    // What a subagent says is not what the agent says.
    const by = entry.agent === undefined ? {} : { agent: entry.agent, parent: entry.agent };
    return [
      ...(entry.results ?? []).flatMap(({ id, text, isError }): EventBody[] =>
        (entry.attempt ?? 1) > 1
          ? []
          : [
              {
                type: 'tool_result',
                id,
                tool: tools.get(id) ?? 'unknown',
                text,
                status: isError ? 'error' : 'ok',
                ...by,
              },
            ],
      ),
      ...answerEvents(entry, by),
    ];
  });
  const prompt = asked.find((entry) => entry.agent === undefined)?.prompt;
  return {
    events,
    verdict: last.kind === 'answer' ? { outcome: 'completed' } : failed(last),
    told: { requests: asked.flatMap((entry) => readTold(entry) ?? []) },
    attempts: Math.max(...asked.map(({ attempt = 1 }) => attempt)),
    ...defined({ prompt }),
  };
}

function answerEvents({ answer, kind, problem, failure }: JournalEntry, by: { agent?: string }): EventBody[] {
  if (kind !== 'answer') return [{ type: 'notice', level: 'error', text: problem ?? failure ?? kind }];
  if (answer === undefined) return [];
  return [
    ...(answer.thinking === undefined ? [] : [{ type: 'thinking', text: answer.thinking, ...by } as const]),
    ...(answer.text === '' ? [] : [{ type: 'text', text: answer.text, ...by } as const]),
    ...answer.tools.map(({ id, name, input }): EventBody => {
      return { type: 'tool_call', id, tool: name, input: isObject(input) ? input : {}, ...by };
    }),
  ];
}

function failed({ kind, problem, failure }: JournalEntry): TurnVerdict {
  return { outcome: 'failed', reason: failure ?? kind, ...defined({ message: problem }) };
}
