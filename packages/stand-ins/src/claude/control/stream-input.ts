import { agentProblems, CliError, readAgentDefinitions } from '@understudy/agents';
import { isObject, isStringList, type JsonObject, LineReader, parseJson } from '@understudy/kit';
import { listenToStdin } from '../../shared/listen-to-stdin.js';
import { recordUnsupported } from '../../shared/record-call.js';
import type { ForcedFailure } from '../failures/forced-failure.js';
import { systemEvent } from '../output/events.js';
import type { OutputEvent } from '../output/formats.js';
import { REFUSED } from '../refused.js';
import { connectMcp } from '../session/connect-mcp.js';
import { Interrupted } from '../session/interrupted.js';
import type { Session } from '../session/session.js';
import { takeNext, type UserMessage } from '../session/user-message.js';
import { takeTitle } from '../turn/announce-title.js';
import { beginSession } from '../turn/begin-session.js';
import type { TurnEnd } from '../turn/close-turn.js';
import { runTurn } from '../turn/turn.js';
import type { ControlChannel } from './channel.js';
import { RefusedRequest } from './refused-request.js';
import { ANNOUNCEMENTS, checkInitialize, describeSession, HANDLERS, hostHooks, REFUSED_REQUESTS } from './requests.js';

/** Runs a session with `--input-format stream-json`: each line on stdin is a message, until stdin ends. */
export async function runStreamInput(
  session: Session,
  channel: ControlChannel,
  forced: ForcedFailure | undefined,
): Promise<number> {
  const input = new StreamInputSession(session, channel, forced);
  const reader = new LineReader((line) => input.handleLine(line));
  let letGo = (): void => {};
  await new Promise<void>((resolve, reject) => {
    input.onFault = reject;
    letGo = listenToStdin({ onChunk: (chunk) => reader.push(chunk), onEnd: resolve });
  }).finally(() => letGo());
  reader.end();
  return input.end();
}

class StreamInputSession {
  onFault: (error: Error) => void = () => {};
  readonly #session: Session;
  readonly #forced: ForcedFailure | undefined;
  readonly #channel: ControlChannel;
  /** The turns, one after the other. */
  #work: Promise<void> = Promise.resolve();
  #started: Promise<unknown> | undefined;
  #connected: Promise<void> | undefined;
  /** The host has its answer to `initialize`, for which hooks of the start may take their time. */
  #introduced: Promise<void> | undefined;
  #hostServers: string[] = [];
  #running: AbortController | undefined;
  #last: TurnEnd | undefined;
  /** What the host receives after the answer to its request. */
  #sentLater: OutputEvent | undefined;
  /** A message is being processed, or about to be. */
  #isBusy = false;
  /** The host has asked the first turn to end before it began. */
  #endsFirst = false;
  /** Messages that the host has named. */
  readonly #known = new Set<string>();

  constructor(session: Session, channel: ControlChannel, forced: ForcedFailure | undefined) {
    this.#session = session;
    this.#channel = channel;
    this.#forced = forced;
  }

  handleLine(line: string): void {
    if (line.trim() === '') return;
    const message = parseJson(line);
    if (message === undefined) {
      this.onFault(
        new CliError(`Error parsing streaming input line (type=unknown, ${line.length} chars): SyntaxError`),
      );
      return;
    }
    // The real CLI passes over what is no message, and over those that it does not know.
    if (!isObject(message)) return;
    switch (message['type']) {
      case 'user':
        this.#receive(message);
        break;
      case 'control_request':
        this.#handle(message);
        break;
      case 'control_response':
        this.#channel.settle(message['response']);
        break;
    }
  }

  /** Waits for the running turns. Gives the exit code. */
  async end(): Promise<number> {
    await this.#introduced;
    // Turns may be put behind the others meanwhile.
    for (let last: Promise<void> | undefined; last !== this.#work; ) {
      last = this.#work;
      await last;
    }
    this.#channel.close();
    if (this.#last === undefined) return 0;
    return this.#last.unanswered ? 2 : this.#last.isError ? 1 : 0;
  }

  #receive(message: JsonObject): void {
    const role = isObject(message['message']) ? message['message']['role'] : undefined;
    if (role === 'user') this.#enqueue(toUserMessage(message));
    else this.onFault(new CliError(`Error: Expected message role 'user', got '${role}'`));
  }

  #enqueue(message: UserMessage): void {
    const session = this.#session;
    const { uuid: id } = message;
    // A host may send again what it does not know to have arrived.
    if (id !== undefined && this.#known.has(id)) return;
    if (id !== undefined) this.#known.add(id);
    const isFirst = !this.#isBusy;
    this.#isBusy = true;
    const { waiting } = this.#channel;
    if (!isFirst) waiting.push(message);
    this.#work = this.#work.then(async () => {
      await this.#ready();
      // The agent may have received it with another message.
      const next = isFirst ? message : takeNext(waiting);
      if (next !== undefined) await this.#play((signal) => runTurn(session, next, this.#forced, signal));
      this.#isBusy = waiting.length > 0;
    });
    this.#work.catch((error: Error) => this.onFault(error));
  }

  async #ready(): Promise<void> {
    await this.#start();
    await this.#connect();
    await this.#session.mcp?.ready();
  }

  async #play(turn: (signal: AbortSignal) => Promise<TurnEnd>): Promise<void> {
    this.#session.out.sendState('running');
    this.#running = new AbortController();
    if (this.#endsFirst) this.#running.abort(new Interrupted());
    this.#endsFirst = false;
    this.#last = await turn(this.#running.signal);
    this.#running = undefined;
    if (this.#channel.waiting.length === 0) this.#session.out.sendState('idle');
  }

  /** Runs the SessionStart hooks: `initialize` does it, or else the first turn. */
  #start(): Promise<unknown> {
    this.#started ??= beginSession(this.#session);
    return this.#started;
  }

  /** Starts the MCP servers; their state is sent after the answer to `initialize`, which may add some. */
  #connect(): Promise<void> {
    this.#connected ??= connectMcp(this.#session, this.#hostServers);
    return this.#connected;
  }

  #handle(message: JsonObject): void {
    const id = String(message['request_id']);
    const request = isObject(message['request']) ? message['request'] : {};
    const subtype = String(request['subtype']);
    // A host that reconnects asks for open requests. There are none here.
    const pending =
      subtype === 'initialize' ? { pending_permission_requests: [], pending_user_dialog_requests: [] } : {};
    const answered = this.#answer(subtype, request)
      .then((response) => {
        this.#channel.succeed(id, response, pending);
        this.#goOn(subtype);
      })
      .catch((error: Error) =>
        this.#channel.refuse(id, error.message, error instanceof RefusedRequest ? error.fields : {}),
      );
    if (subtype === 'initialize') this.#introduced = answered;
  }

  async #answer(subtype: string, request: JsonObject): Promise<JsonObject | undefined> {
    if (subtype === 'initialize') {
      checkInitialize(request);
      const isLate = this.#started !== undefined;
      this.#initialize(request);
      await this.#start();
      const { title } = request;
      if (typeof title === 'string' && title !== '') takeTitle(this.#session, { sessionTitle: title });
      // They do not receive the start.
      this.#session.parts.hooks.push(...hostHooks(request['hooks']));
      if (isLate) this.#sentLater = systemEvent(this.#session.id, 'background_tasks_changed', { tasks: [] });
      return describeSession(this.#session);
    }
    if (subtype === 'interrupt') {
      // The first message takes its time to begin, and ends then; a later one has begun, or does not receive it.
      if (this.#running === undefined && this.#isBusy && this.#last === undefined) this.#endsFirst = true;
      this.#running?.abort(new Interrupted());
      return { still_queued: this.#channel.waiting.flatMap(({ uuid: id }) => id ?? []) };
    }
    const handler = HANDLERS.get(subtype);
    if (REFUSED_REQUESTS.has(subtype)) recordUnsupported(`${REFUSED.controlRequests} ${subtype}`);
    if (handler === undefined)
      throw new RefusedRequest(`Unsupported control request subtype: ${subtype}`, 'unsupported_request');
    if (subtype.startsWith('mcp_')) await this.#connect();
    return handler(this.#session, request);
  }

  /** What follows an answer: the host receives the answer first. */
  #goOn(subtype: string): void {
    if (this.#sentLater !== undefined) this.#session.out.emit(this.#sentLater);
    this.#sentLater = undefined;
    if (subtype === 'initialize') this.#connect().catch((error: Error) => this.onFault(error));
    ANNOUNCEMENTS.get(subtype)?.(this.#session);
  }

  #initialize(request: JsonObject): void {
    const { parts } = this.#session;
    if (isStringList(request['skills'])) parts.skills = request['skills'];
    if (request['forwardSubagentText'] === true) parts.options.forwardSubagentText = true;
    if (isStringList(request['sdkMcpServers'])) this.#hostServers = request['sdkMcpServers'];
    const { agents } = request;
    // One wrong agent, and none of them counts; no message says so.
    if (isObject(agents) && agentProblems(agents).length === 0) {
      const given = readAgentDefinitions(agents);
      const names = given.map(({ name }) => name);
      parts.agents.splice(
        0,
        parts.agents.length,
        ...parts.agents.filter(({ name }) => !names.includes(name)),
        ...given,
      );
      const { model } = given.find(({ name }) => name === this.#session.ownAgent) ?? {};
      if (model !== undefined && parts.options.model === undefined) this.#session.chosen.model = model;
    }
    const prompts = [request['systemPrompt'], request['appendSystemPrompt']]
      .flat()
      .filter((part) => typeof part === 'string');
    if (prompts.length > 0) parts.options.systemPrompt = prompts.join('\n\n');
    if (isObject(request['jsonSchema'])) parts.options.jsonSchema = JSON.stringify(request['jsonSchema']);
  }
}

function toUserMessage({ message, uuid, priority = 'next' }: JsonObject): UserMessage {
  if (priority !== 'next') recordUnsupported(REFUSED.urgency);
  return {
    content: isObject(message) ? message['content'] : '',
    ...(typeof uuid === 'string' ? { uuid } : {}),
  };
}
