import type { IncomingMessage, ServerResponse } from 'node:http';
import { describeUnanswered, NO_OBJECTION, type Play, type Script, textOf, type Unanswered } from '@understudy/script';
import { recognizeAuxiliary } from './auxiliary.js';
import type { Client, HookPrompt, HookQuestion } from './clients/client.js';
import { attempt, type ModelConversation, type Outcome, type Step } from './conversation.js';
import type { ModelConversations, Question } from './conversations.js';
import { deliver, type Exchange, sendError } from './delivery.js';
import { deliverFailure, type RefuseConnections } from './failure-delivery.js';
import { faultFor } from './faults.js';
import type { JournalEntry } from './journal.js';
import { plainAnswer, prepareAnswer, silentAnswer, ToolNotOffered, verdictCall } from './prepare-answer.js';
import { notesOf, readQuestion } from './question.js';
import { subagentIn } from './subagents.js';
import { type Answer, MalformedRequest, type Target, type WireProtocol } from './wire/protocol.js';

/** The fields of a journal entry, collected while a request is answered. */
export type Notes = Partial<JournalEntry>;

export interface ResponderOptions {
  clients: readonly Client[];
  /** true: a request without an answer is an error. false: the problem is sent as the answer. */
  strict: boolean;
  refuse: RefuseConnections;
  /** A hook has asked the model, and this was said. */
  onHook?: OnHook | undefined;
  /** The agent that the server is for. Others that ask were started by it. */
  agent?: string | undefined;
}

export type OnHook = (question: HookQuestion, answer: string) => void;

/** Answers requests from a script. */
export class Responder {
  readonly #script: Script;
  readonly #conversations: ModelConversations;
  readonly #options: ResponderOptions;
  /** The context of a prompt is long, and few scenarios use it. */
  readonly #needsSystem: boolean;
  readonly #needsFolder: boolean;
  /** What hooks ask is no part of a conversation. */
  readonly #judging: Play;
  #auxiliaries = 0;
  /** How many calls a program has made itself, by the step. */
  readonly #programCalls = new Map<number, number>();

  constructor(script: Script, conversations: ModelConversations, options: ResponderOptions) {
    this.#script = script;
    this.#conversations = conversations;
    this.#options = options;
    this.#judging = script.play();
    const { document } = script.scenario;
    this.#needsSystem = (document.responses ?? []).some((rule) => rule.when?.system !== undefined);
    this.#needsFolder = JSON.stringify(document).includes('cwd');
  }

  /** Answers one request, and returns the notes for the journal. */
  async respond(
    incoming: IncomingMessage,
    response: ServerResponse,
    protocol: WireProtocol,
    body: unknown,
    target: Target,
  ): Promise<Notes> {
    if (target.cloud === 'bedrock') throw new MalformedRequest('the scripted model does not answer on Bedrock');
    const question = readQuestion(this.#options.clients, incoming, protocol, body, target);
    const { request, transcript, tag } = question;
    const exchange: Exchange = { response, protocol, stream: request.stream };
    const notes = notesOf(question);
    const hook = question.client.hookQuestion?.(transcript.prompt?.text ?? '', () => transcript.system);
    if (hook !== undefined) return { ...notes, ...(await this.#judge(exchange, hook, request.model)) };
    const auxiliary = recognizeAuxiliary(question);
    if (auxiliary !== undefined) {
      const id = `auxiliary_${++this.#auxiliaries}`;
      const { text } = auxiliary;
      const answer = text === undefined ? silentAnswer(id, request.model) : plainAnswer(id, request.model, text);
      await deliver(exchange, answer, {});
      return { ...notes, kind: 'auxiliary', auxiliary: auxiliary.kind, status: 200, answer: answerNotes(answer, []) };
    }
    if (transcript.prompt === undefined && transcript.results.length === 0) {
      throw new MalformedRequest('the request holds neither a user message nor tool results');
    }

    const conversation = this.#conversations.find(question);
    conversation.requests++;
    notes.conversation = conversation.id;
    if (conversation.agent !== undefined) notes.agent = conversation.agent;
    const outcome = this.#outcome(conversation, question);
    if (outcome.kind === 'unanswered') this.#nameRequester(outcome, question);
    if (outcome.step !== undefined) notes.attempt = outcome.step.attempts;
    if (tag !== undefined) Object.assign(notes, { step: tag.step, call: tag.call ?? outcome.step?.call });
    if (tag !== undefined && tag.call === undefined) notes.byProgram = true;
    return { ...notes, ...(await this.#act(exchange, outcome, conversation, question)) };
  }

  /** Answers a hook that asks the model: by a rule for hooks, or with no objection. */
  async #judge(exchange: Exchange, { prompt, ...question }: HookPrompt, model: string): Promise<Notes> {
    const { event, name, kind } = question;
    const reply = this.#judging.judge({ ...prompt, model });
    const message = reply?.kind === 'message' ? reply.message : undefined;
    const verdict = message === undefined ? NO_OBJECTION : textOf(message);
    const id = `hook_${++this.#auxiliaries}`;
    const answer = kind === 'agent' ? verdictCall(id, model, verdict) : plainAnswer(id, model, verdict);
    // Before it is delivered: what the agent does then comes after it.
    this.#options.onHook?.(question, verdict);
    await deliver(exchange, answer, { delayMs: message?.delayMs });
    const path = message === undefined ? {} : { rulePath: message.rulePath };
    const about = { kind: 'auxiliary', auxiliary: 'hook', hook: { name, event, kind }, status: 200 } as const;
    return { ...about, ...path, answer: answerNotes(answer, []) };
  }

  #outcome(conversation: ModelConversation, { transcript, request, client, identity, tag }: Question): Outcome {
    const { faults = [], seed = 0 } = this.#script.scenario.document;
    const fault = faults.length === 0 ? undefined : faultFor(faults, conversation, seed);
    if (fault !== undefined) return { kind: 'failure', ...fault };
    const { key, prompt, results } = transcript;
    const known = conversation.step(key);
    if (known !== undefined) return attempt(known);
    const call = tag === undefined ? undefined : (tag.call ?? this.#callOf(conversation, tag.step, identity));
    const number = (step: Step): Outcome => {
      if (call !== undefined) step.call = call;
      return attempt(step);
    };
    const again = client.wantsWords?.(prompt?.text ?? '') ? conversation.sayAgain(key) : undefined;
    if (again !== undefined) return number(again);
    if (prompt !== undefined) {
      const cwd = this.#needsFolder ? client.workingFolder(request) : undefined;
      return number(
        conversation.answerPrompt(key, {
          text: prompt.text,
          ...(this.#needsSystem ? { system: transcript.system } : {}),
          model: request.model,
          ...(prompt.command === undefined ? {} : { command: prompt.command }),
          ...(conversation.agent === undefined ? {} : { agent: conversation.agent }),
          ...(cwd === undefined ? {} : { cwd }),
          ...(call === undefined ? {} : { call }),
        }),
      );
    }
    const caller = this.#conversations.caller(conversation, results);
    const step =
      caller === undefined
        ? conversation.unknownResults(key, results)
        : conversation.answerResults(key, caller, results, transcript.feedback);
    if (caller === undefined && step.reply.kind === 'unanswered') this.#script.usage.unmatched.push(step.reply);
    return number(step);
  }

  /** What a hook, a server or a command asks by itself is not asked by the agent. */
  #nameRequester({ unanswered, step }: Extract<Outcome, { kind: 'unanswered' }>, { client }: Question): void {
    const { agent } = this.#options;
    if (agent === undefined || client.name !== 'library' || step.attempts > 1) return;
    unanswered.message += `. Not ${agent} asked it, but a program that it started: a hook, an MCP server or a command`;
  }

  /** A program that asks the model itself makes a call with each request that is no retry; a session is one call. */
  #callOf(conversation: ModelConversation, step: number, { session }: Question['identity']): number {
    if (session !== undefined && conversation.call !== undefined) return conversation.call;
    const next = (this.#programCalls.get(step) ?? 0) + 1;
    this.#programCalls.set(step, next);
    conversation.call = next;
    return next;
  }

  async #act(
    exchange: Exchange,
    outcome: Outcome,
    conversation: ModelConversation,
    question: Question,
  ): Promise<Notes> {
    const { model } = question.request;
    if (outcome.kind === 'unanswered') return this.#admit(exchange, outcome.unanswered, outcome.step, model);
    if (outcome.kind === 'failure') {
      const { failure, rulePath, step } = outcome;
      if (step !== undefined) step.state = 'failed';
      const empty = plainAnswer(`${conversation.id}_${step?.number ?? 'fault'}`, model, undefined);
      const status = await deliverFailure(exchange, failure, empty, this.#options.refuse);
      return { kind: 'failure', failure: failure.type, rulePath, status };
    }
    const { message, step } = outcome;
    try {
      this.#prepare(outcome, conversation, question, exchange.protocol);
    } catch (error) {
      if (!(error instanceof ToolNotOffered)) throw error;
      const text = question.transcript.prompt?.text ?? '';
      const unanswered: Unanswered = {
        kind: 'unanswered',
        what: 'prompt',
        text,
        message: error.message,
        fix: error.fix,
      };
      if (step.attempts === 1) this.#script.usage.unmatched.push(unanswered);
      return { rulePath: message.rulePath, ...(await this.#admit(exchange, unanswered, step, model)) };
    }
    // A client may switch to another model between attempts.
    const answer = { ...(step.answer as Answer), model };
    const delayMs = message.delayMs ?? this.#script.scenario.document.timeouts?.response_delay_ms;
    exchange.response.once('close', () => {
      step.state = exchange.response.writableFinished ? 'delivered' : 'failed';
    });
    await deliver(exchange, answer, { delayMs, pace: message.pace });
    return { kind: 'answer', rulePath: message.rulePath, status: 200, answer: answerNotes(answer, step.calls) };
  }

  /** Sends that there is no answer, with the fix. */
  async #admit(exchange: Exchange, unanswered: Unanswered, step: Step, model: string): Promise<Notes> {
    step.state = 'failed';
    const problem = `understudy: ${describeUnanswered(unanswered)}`;
    if (this.#options.strict)
      return { kind: 'unanswered', problem, status: sendError(exchange, 'unanswered', problem) };
    await deliver(exchange, plainAnswer(`unanswered_${++this.#auxiliaries}`, model, problem), {});
    return { kind: 'unanswered', problem, status: 200 };
  }

  /** Prepares the answer at the first attempt. Later attempts get the same one. */
  #prepare(
    { message, step }: Extract<Outcome, { kind: 'message' }>,
    conversation: ModelConversation,
    question: Question,
    protocol: WireProtocol,
  ): void {
    if (step.answer !== undefined) return;
    const { request, transcript, client } = question;
    const { answer, calls } = prepareAnswer(message, {
      conversation,
      step,
      request,
      client,
      callPrefix: protocol.callPrefix,
      inputLength:
        transcript.prompt?.text.length ?? transcript.results.reduce((sum, result) => sum + result.text.length, 0),
    });
    step.message = message;
    step.answer = answer;
    step.calls = calls;
    for (const block of answer.blocks) {
      const subagent = block.type === 'tool_use' ? subagentIn(block.name, block.input) : undefined;
      if (subagent !== undefined) this.#conversations.expectSubagent(conversation, subagent.prompt, subagent.agent);
    }
  }
}

function answerNotes(
  answer: Answer,
  calls: readonly { id: string; scripted: string }[],
): NonNullable<JournalEntry['answer']> {
  const said = (type: 'text' | 'thinking') =>
    answer.blocks.map((block) => (block.type === type ? block.text : '')).join('');
  const thinking = said('thinking');
  return {
    text: said('text'),
    ...(thinking === '' ? {} : { thinking }),
    tools: answer.blocks.flatMap((block) =>
      block.type === 'tool_use'
        ? [
            {
              id: block.id,
              tool: calls.find((call) => call.id === block.id)?.scripted ?? block.name,
              name: block.name,
              input: block.input,
            },
          ]
        : [],
    ),
    stop: answer.stopReason,
  };
}
