import type { Failure, Message, Play, Prompt, Reply, ToolResult, Unanswered } from '@understudy/script';
import type { CallTag } from './client-keys.js';
import type { Answer, WireToolResult } from './wire/protocol.js';

/** A tool call that was sent, with the tool name of the scenario (`scripted`) and of the agent (`name`). */
export interface Call {
  id: string;
  scripted: string;
  name: string;
}

/** One point of a conversation, with the script's reply and the number of attempts. */
export interface Step {
  number: number;
  reply: Reply;
  attempts: number;
  /** The state of the last attempt. A client does not repeat a request whose answer was delivered. */
  state: 'in progress' | 'delivered' | 'failed';
  /** Every attempt gets the same answer. */
  answer?: Answer;
  calls: Call[];
  message?: Message;
  /** The call of the program that it belongs to. */
  call?: number;
}

/** What to send for one attempt at a step. */
export type Outcome =
  | { kind: 'message'; message: Message; step: Step }
  | { kind: 'failure'; failure: Failure; rulePath: string; step?: Step }
  | { kind: 'unanswered'; unanswered: Unanswered; step: Step };

/** A client may go back a few steps (retry, rewind). Older steps are dropped. */
const MAX_STEPS = 32;

/** One conversation with the script: its turn state, its requests and its steps. */
export class ModelConversation {
  readonly id: string;
  readonly client: string;
  /** The subagent of this conversation. Undefined for the main agent. */
  readonly agent: string | undefined;
  /** The `run` step and the call that it belongs to. */
  readonly tag: CallTag | undefined;
  /** Its number among the calls of a program, for a client that names its sessions. */
  call: number | undefined;
  /** Number of requests, with retries, without auxiliary ones. */
  requests = 0;
  readonly play: Play;
  readonly #steps = new Map<string, Step>();
  #numbered = 0;

  constructor(id: string, client: string, agent: string | undefined, play: Play, tag?: CallTag) {
    this.tag = tag;
    this.id = id;
    this.client = client;
    this.agent = agent;
    this.play = play;
  }

  /** The step with this key. A retry has the key of the step that it repeats. */
  step(key: string): Step | undefined {
    return this.#steps.get(key);
  }

  /** Answers a prompt. */
  answerPrompt(key: string, prompt: Prompt): Step {
    return this.#remember(key, this.play.answer(prompt));
  }

  /** Says again what was said last, if anything was. */
  sayAgain(key: string): Step | undefined {
    const { message } = [...this.#steps.values()].at(-1) ?? {};
    return message === undefined ? undefined : this.#remember(key, { kind: 'message', message });
  }

  /** Answers the tool results of an earlier step. */
  answerResults(key: string, from: Step, results: readonly WireToolResult[], feedback: string): Step {
    const next = from.message?.next;
    if (next === undefined) return this.#remember(key, unknownResults(results));
    const own = from.calls.map((call) => resultOf(call, results));
    return this.#remember(key, next(own, feedback));
  }

  unknownResults(key: string, results: readonly WireToolResult[]): Step {
    return this.#remember(key, unknownResults(results));
  }

  /** The earlier step that made one of these tool calls. */
  stepThatCalled(results: readonly WireToolResult[]): Step | undefined {
    const steps = [...this.#steps.values()];
    return steps.findLast((step) => step.calls.some((call) => results.some((result) => belongs(result, call))));
  }

  #remember(key: string, reply: Reply): Step {
    const step: Step = { number: this.#numbered++, reply, attempts: 0, state: 'in progress', calls: [] };
    this.#steps.set(key, step);
    const oldest = this.#steps.keys().next();
    if (this.#steps.size > MAX_STEPS && oldest.value !== undefined) this.#steps.delete(oldest.value);
    return step;
  }
}

/** Counts an attempt and decides its outcome. With `times`, that many attempts fail before the answer. */
export function attempt(step: Step): Outcome {
  step.attempts++;
  step.state = 'in progress';
  const { reply } = step;
  if (reply.kind === 'unanswered') return { kind: 'unanswered', unanswered: reply, step };
  if (reply.kind === 'message') return { kind: 'message', message: reply.message, step };
  const over = reply.failure.times !== undefined && step.attempts > reply.failure.times;
  if (over && reply.afterwards !== undefined) return { kind: 'message', message: reply.afterwards, step };
  return { kind: 'failure', failure: reply.failure, rulePath: reply.rulePath, step };
}

function belongs(result: WireToolResult, call: Call): boolean {
  return result.id === call.id || result.id === call.name;
}

function resultOf(call: Call, results: readonly WireToolResult[]): ToolResult {
  const result =
    results.find((candidate) => candidate.id === call.id) ?? results.find((candidate) => belongs(candidate, call));
  return { tool: call.scripted, text: result?.text ?? '', isError: result?.isError ?? false };
}

function unknownResults(results: readonly WireToolResult[]): Unanswered {
  const text = results.map((result) => result.text).join('\n');
  return {
    kind: 'unanswered',
    what: 'tool_results',
    text,
    message: `the request has results of tool calls that this server did not make (${results.map((result) => result.id).join(', ')})`,
    fix: 'Start a new conversation: this one began before the server started.',
  };
}
