import type { AgentDriver } from '@understudy/agents';
import { describeAsker, type JournalEntry, type ModelServer } from '@understudy/model';

/**
 * What was on the wire between agents and their model: a witness that agents and their tools cannot reach. A stand-in has
 * no wire; what it told past the hands of its tools stands for it.
 */
export interface SeenOnWire {
  /** Who saw it. */
  by: 'wire' | 'stand-in';
  /** What the model said, by its answers. */
  texts: string[];
  calls: { id: string; tool: string; input: unknown; agent?: string; delivered: boolean }[];
  /** What tools answered, as the model got it. */
  results: { id: string; text: string; isError: boolean }[];
  /** The kernel said of each request which process sent it. */
  isIdentified: boolean;
  /** Who was refused, because it was no agent. */
  refused: string[];
}

type CallReader = NonNullable<ReturnType<AgentDriver['readCall']>>;

/** What a stand-in told that it printed. */
export function toldByStandIn(printed: string, { reader }: CallReader): SeenOnWire {
  const events = printed.split('\n').flatMap((line) => (line === '' ? [] : reader.read(line)));
  return {
    by: 'stand-in',
    texts: events.flatMap((event) => (event.type === 'text' ? [event.text] : [])),
    calls: events.flatMap((event) =>
      event.type === 'tool_call' ? [{ id: event.id, tool: event.tool, input: event.input, delivered: false }] : [],
    ),
    results: events.flatMap((event) =>
      event.type === 'tool_result' ? [{ id: event.id, text: event.text, isError: event.status !== 'ok' }] : [],
    ),
    ...{ isIdentified: true, refused: [] },
  };
}

/** Keeps what was on the wire, also of requests that the journal forgets. */
export class WireWitness {
  readonly #entries: WireEntry[] = [];

  constructor({ journal }: Pick<ModelServer, 'journal'>) {
    journal.onEntry((entry) => this.#entries.push(shortened(entry)));
  }

  /** Of the conversation, or of a step and one of its calls. */
  seen({ step, call }: { step?: number; call?: number } = {}): SeenOnWire {
    const own = this.#entries.filter((entry) => entry.step === step && (call === undefined || entry.call === call));
    return {
      by: 'wire',
      texts: own.flatMap(({ answer }) => (answer === undefined || answer.text === '' ? [] : [answer.text])),
      calls: own.flatMap(({ answer, agent, incomplete }) =>
        (answer?.tools ?? []).map(({ id, name, input }) => {
          return { id, tool: name, input, ...(agent === undefined ? {} : { agent }), delivered: incomplete !== true };
        }),
      ),
      results: own.flatMap(({ results = [] }) => results),
      isIdentified: own.length > 0 && own.every(({ asker }) => asker !== undefined),
      refused: this.refused,
    };
  }

  /** A request that is refused has no step: nobody has read it. */
  get refused(): string[] {
    return this.#entries.flatMap(({ asker, kind, status }) =>
      asker !== undefined && kind === 'refused' && status === FORBIDDEN ? [describeAsker(asker)] : [],
    );
  }

  /** The calls of a step that asked. */
  callsOf(step: number): number[] {
    const asked = this.#entries.filter((entry) => entry.step === step && entry.byProgram !== true);
    return [...new Set(asked.flatMap(({ call }) => (call === undefined ? [] : [call])))];
  }
}

const FORBIDDEN = 403;

type WireEntry = Pick<
  JournalEntry,
  'kind' | 'status' | 'step' | 'call' | 'byProgram' | 'agent' | 'answer' | 'results' | 'asker' | 'incomplete'
>;

/** Without headers and bodies, which are long. */
function shortened({ kind, status, step, call, byProgram, agent, answer, results, asker, incomplete }: JournalEntry) {
  return { kind, status, step, call, byProgram, agent, answer, results, asker, incomplete } as WireEntry;
}
