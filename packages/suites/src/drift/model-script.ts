import { claudeCode, NO_OUTPUT } from '@understudy/agents';
import { anthropicMessages, isCompaction, readTranscript } from '@understudy/model';
import { COMPACTION_ANSWER, COMPACTION_TOKENS, NOTICE_ANSWER, NOTICE_TOKENS } from '@understudy/script';
import type { ModelStep } from './case.js';

const TARGET = { path: '/v1/messages', query: new URLSearchParams() };

export interface MessagesRequest {
  [field: string]: unknown;
  model: string;
  stream?: boolean;
  messages: { role: string; content: unknown }[];
}

/** What the model says next: the messages of a turn one after the other, and with a new prompt those of the next turn. */
export class ModelScript {
  readonly #turns: readonly (readonly ScriptedStep[])[];
  #turn = 0;
  #step = -1;
  #last = '';
  #prompted = false;
  #given: ModelStep = {};
  /** What subagents in the background have not said yet. */
  readonly #due: ModelStep[] = [];
  /** What subagents say that a message starts together, by what they are asked. */
  readonly #beside: ReadonlyMap<string, ModelStep[]>;

  constructor(turns: readonly (readonly ModelStep[])[]) {
    this.#beside = new Map(turns.flat().flatMap(startedTogether));
    this.#turns = turns.map((turn) => withSubagents(turn));
  }

  /** The user has said something: the next request is about it, whatever else is in it. */
  prompted(): void {
    this.#prompted = true;
  }

  next(request: MessagesRequest, ofSubagent: boolean): ModelStep {
    const { messages } = request;
    if (isCompaction(JSON.stringify(messages))) return { say: COMPACTION_ANSWER, tokens: COMPACTION_TOKENS };
    if (isNotice(messages)) return { say: NOTICE_ANSWER, tokens: NOTICE_TOKENS };
    if (!wantsWords(messages)) this.#given = this.#choose(request, ofSubagent);
    return this.#given;
  }

  #choose(request: MessagesRequest, ofSubagent: boolean): ModelStep {
    const { messages } = request;
    const text = JSON.stringify(messages);
    const beside = ofSubagent ? this.#besideOf(messages) : undefined;
    if (beside !== undefined) return beside;
    const due = ofSubagent ? this.#due.shift() : undefined;
    if (due !== undefined) return due;
    const turn = this.#turns[this.#turn] ?? [];
    const prompted = !ofSubagent && (this.#prompted || hasPromptBehind(request));
    const isNew = prompted || (isPrompt(messages) && text !== this.#last);
    this.#last = text;
    if (prompted) this.#prompted = false;
    // A failure is asked about again, and a subagent has prompts of its own.
    const keeps = this.#step + 1 < turn.length && turn.some(({ fail, subagent }) => fail ?? subagent);
    if (this.#step >= 0 && isNew && (prompted || !keeps) && this.#turn + 1 < this.#turns.length) {
      this.#turn++;
      this.#step = 0;
    } else this.#step = Math.min(this.#step + 1, turn.length - 1);
    const steps = this.#turns[this.#turn] ?? [];
    // A subagent that was not started does not speak; one that works in the background may do so later.
    for (; !ofSubagent && this.#step < steps.length - 1; this.#step++) {
      const step = steps[this.#step];
      if (step?.ofSubagent === undefined) break;
      if (step.ofSubagent === 'background') this.#due.push(step);
    }
    return steps[this.#step] ?? {};
  }

  #besideOf(messages: MessagesRequest['messages']): ModelStep | undefined {
    const asked = JSON.stringify(messages.find(({ role }) => role === 'user'));
    const [, steps] = [...this.#beside].find(([prompt]) => asked.includes(JSON.stringify(prompt))) ?? [];
    return steps?.shift();
  }
}

function startedTogether({ tools = [], subagent = [] }: ModelStep): [prompt: string, steps: ModelStep[]][] {
  const ofCalls = tools.flatMap((call): [string, ModelStep[]][] =>
    call.subagent === undefined ? [] : [[String(call.input['prompt']), [...call.subagent]]],
  );
  const inside = [...subagent, ...tools.flatMap((call) => call.subagent ?? [])];
  return [...ofCalls, ...inside.flatMap(startedTogether)];
}

interface ScriptedStep extends ModelStep {
  ofSubagent?: 'foreground' | 'background';
}

function withSubagents(steps: readonly ModelStep[]): ScriptedStep[] {
  return steps.flatMap((step) => {
    const waits =
      step.promptPart !== undefined || step.tools?.some(({ input }) => input['run_in_background'] === false);
    const ofSubagent = waits === true ? 'foreground' : 'background';
    return [step, ...withSubagents(step.subagent ?? []).map((own) => ({ ...own, ofSubagent }) as const)];
  });
}

function wantsWords(messages: MessagesRequest['messages']): boolean {
  const content = messages.findLast(({ role }) => role === 'user')?.content;
  return JSON.stringify(Array.isArray(content) ? content.at(-1) : content)?.includes(NO_OUTPUT) ?? false;
}

/** Whether the newest message to the model is the end of a task in the background. */
function isNotice(messages: MessagesRequest['messages']): boolean {
  const last = messages.findLast(({ role }) => role === 'user');
  return isPrompt(messages) && JSON.stringify(last?.content ?? '').includes('<task-notification>');
}

/** Whether the user says something behind tool results: while the agent works, or after a turn that ended at them. */
function hasPromptBehind(request: MessagesRequest): boolean {
  const { prompt, results } = readTranscript(anthropicMessages.read(request, TARGET), claudeCode);
  return prompt !== undefined && results.length > 0;
}

/** Whether the request has no tool results behind the model's last message. */
function isPrompt(messages: MessagesRequest['messages']): boolean {
  const said = messages.findLastIndex(({ role }) => role === 'assistant');
  const since = messages.slice(said + 1).filter(({ role }) => role === 'user');
  return !since.some(({ content }) => JSON.stringify(content).includes('"type":"tool_result"'));
}
