import type { Play } from '../scenario/play.js';
import type { Prompt } from '../scenario/prompt.js';
import type { Message, Reply, ToolResult, Unanswered } from '../scenario/reply.js';
import type { Failure } from '../scenario/schema.js';
import type { ClientName } from './clients/client.js';
import type { Answer, WireToolResult } from './wire/protocol.js';

/** A tool call that went out, by the name that the scenario has for it. */
export interface Call {
  id: string;
  asked: string;
  name: string;
}

/** One point of a conversation and what the script says there; attempts at it are counted. */
export interface Step {
  number: number;
  reply: Reply;
  attempts: number;
  /** How the last attempt went: an answer that has reached the client whole is not asked for again. */
  state: 'under way' | 'delivered' | 'failed';
  /** The same for each attempt. */
  answer?: Answer;
  calls: Call[];
  message?: Message;
}

/** What to do at a step, this time. */
export type Outcome =
  | { kind: 'message'; message: Message; step: Step }
  | { kind: 'failure'; failure: Failure; place: string; step?: Step }
  | { kind: 'unanswered'; unanswered: Unanswered; step: Step };

/** A client may go back a little (a retry, a rewind); older steps are forgotten. */
const KEPT_STEPS = 32;

/** One conversation with the script: its turn state, its requests, and the steps taken in it. */
export class Conversation {
  readonly id: string;
  readonly client: ClientName;
  /** The subagent that speaks here; the main one has no name. */
  readonly agent: string | undefined;
  /** Requests so far, retries included, auxiliary ones not. */
  requests = 0;
  readonly play: Play;
  readonly #steps = new Map<string, Step>();
  #numbered = 0;

  constructor(id: string, client: ClientName, agent: string | undefined, play: Play) {
    this.id = id;
    this.client = client;
    this.agent = agent;
    this.play = play;
  }

  /** The step at this point: a retry finds the one that it repeats. */
  step(key: string): Step | undefined {
    return this.#steps.get(key);
  }

  /** What the script says to a prompt. */
  answerPrompt(key: string, prompt: Prompt): Step {
    return this.#remember(key, this.play.answer(prompt));
  }

  /** What the script says once the tools of an earlier step have run. */
  answerResults(key: string, from: Step, results: readonly WireToolResult[]): Step {
    const next = from.message?.next;
    if (next === undefined) return this.#remember(key, strangeResults(results));
    return this.#remember(key, next(from.calls.map((call) => resultOf(call, results))));
  }

  strangeResults(key: string, results: readonly WireToolResult[]): Step {
    return this.#remember(key, strangeResults(results));
  }

  /** Where an earlier step made one of these calls. */
  stepThatCalled(results: readonly WireToolResult[]): Step | undefined {
    const steps = [...this.#steps.values()];
    return steps.findLast((step) => step.calls.some((call) => results.some((result) => belongs(result, call))));
  }

  #remember(key: string, reply: Reply): Step {
    const step: Step = { number: this.#numbered++, reply, attempts: 0, state: 'under way', calls: [] };
    this.#steps.set(key, step);
    const oldest = this.#steps.keys().next();
    if (this.#steps.size > KEPT_STEPS && oldest.value !== undefined) this.#steps.delete(oldest.value);
    return step;
  }
}

/** What a step comes to at this attempt: `times` failures come before the answer. */
export function attempt(step: Step): Outcome {
  step.attempts++;
  step.state = 'under way';
  const { reply } = step;
  if (reply.kind === 'unanswered') return { kind: 'unanswered', unanswered: reply, step };
  if (reply.kind === 'message') return { kind: 'message', message: reply.message, step };
  const over = reply.failure.times !== undefined && step.attempts > reply.failure.times;
  if (over && reply.afterwards !== undefined) return { kind: 'message', message: reply.afterwards, step };
  return { kind: 'failure', failure: reply.failure, place: reply.place, step };
}

function belongs(result: WireToolResult, call: Call): boolean {
  return result.id === call.id || result.id === call.name;
}

function resultOf(call: Call, results: readonly WireToolResult[]): ToolResult {
  const result =
    results.find((candidate) => candidate.id === call.id) ?? results.find((candidate) => belongs(candidate, call));
  return { tool: call.asked, text: result?.text ?? '', isError: result?.isError ?? false };
}

function strangeResults(results: readonly WireToolResult[]): Unanswered {
  const text = results.map((result) => result.text).join('\n');
  return {
    kind: 'unanswered',
    what: 'tool_results',
    text,
    message: `the request brings results of tools that this server did not call (${results.map((result) => result.id).join(', ')})`,
    fix: 'start a new conversation: the script knows nothing of what was said before the server started',
  };
}
