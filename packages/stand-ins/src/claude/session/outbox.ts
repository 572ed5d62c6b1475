import { isObject, type JsonObject } from '@understudy/kit';
import type { LogEntry, RequestLog } from '../../shared/request-log.js';
import { systemEvent, userEvent } from '../output/events.js';
import type { Output, OutputEvent } from '../output/formats.js';
import { uuid } from '../output/ids.js';
import type { AgentAtWork, RunningSubagent } from './agent-at-work.js';
import type { Clock } from './clock.js';
import type { Transcript, TranscriptLine } from './transcript.js';

/** Whose words it sends. */
interface Sender {
  readonly parts: {
    clock: Clock;
    output: Output;
    log: RequestLog;
    argv: readonly string[];
    cwd: string;
    env: NodeJS.ProcessEnv;
  };
  readonly id: string;
  readonly atWork: AgentAtWork;
  readonly transcript: Transcript;
  readonly turn: { promptId: string | undefined };
}

/** What is more in the event, and in the line, of a message in the user's role. */
interface About {
  /** Absent: a host does not receive it. */
  event?: JsonObject | undefined;
  line?: JsonObject;
  parentToolUseId?: string | null;
}

/** How a turn has ended. */
interface TurnFact {
  /** Absent: the host does not receive it. */
  event?: OutputEvent;
  /** Absent: it was no prompt of the user. */
  log?: Omit<LogEntry, 'time' | 'pid' | 'argv' | 'cwd' | 'session_id'>;
  /** Absent: nothing is kept of it. */
  line?: JsonObject & { type: string };
}

/** All that a session says of one fact: an event for the host, a line in the transcript of whoever speaks, an entry of the log. */
export class Outbox {
  /** What a subagent does that a host receives when it has ended. */
  held: OutputEvent[] | undefined;
  /** Events that are shown with the beginning of the next turn. */
  afterInit: OutputEvent[] = [];
  readonly #sender: Sender;
  #results = 0;
  #state: 'running' | 'idle' = 'idle';
  /** What is sent only once. */
  readonly #sent = new Set<string>();
  /** The rules of the scenario that have answered hooks since the last entry of the log. */
  #judges: string[] = [];

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  get #subagent(): RunningSubagent | undefined {
    return this.#sender.atWork.subagent;
  }

  /** The transcript of whoever speaks. */
  get writing(): Transcript {
    return this.#subagent?.transcript ?? this.#sender.transcript;
  }

  /** When and where an event happens. */
  at(parentToolUseId: string | null = null): { sessionId: string; timestamp: string; parentToolUseId: string | null } {
    return { sessionId: this.#sender.id, timestamp: this.#sender.parts.clock.timestamp(), parentToolUseId };
  }

  /** How the events of a subagent name it. */
  signature(): JsonObject {
    if (this.#subagent === undefined) return {};
    const { agent_id, subagent_type, task_description } = this.#subagent;
    return { agent_id, subagent_type, task_description };
  }

  emit(event: OutputEvent): void {
    const isOfSubagent = typeof event['parent_tool_use_id'] === 'string';
    // A host receives the events of the agent's subagents, and not those of their subagents.
    if ((this.#subagent?.depth ?? 0) > 1 && isOfSubagent) return;
    if (this.held !== undefined && isOfSubagent) this.held.push(event);
    else this.#sender.parts.output.event(event);
    if (event['subtype'] === 'init') for (const late of this.afterInit.splice(0)) this.emit(late);
  }

  /** An event of the CLI, and perhaps the line about it in the transcript of the session. */
  system(subtype: string, fields: JsonObject, line?: JsonObject): void {
    this.emit(systemEvent(this.#sender.id, subtype, fields));
    if (line !== undefined) this.note(subtype, line);
  }

  /** A line of the CLI in the transcript of the session. */
  note(subtype: string, line: JsonObject): void {
    const { transcript, parts } = this.#sender;
    transcript.addMessages([{ type: 'system', subtype, ...line, timestamp: parts.clock.timestamp() }]);
  }

  /** A warning to the user. */
  warn(content: string, fields: JsonObject = {}): void {
    const warning = { content, level: 'warning' };
    this.system('informational', { ...warning, ...fields }, { ...warning, isMeta: false });
  }

  /** A message in the user's role: what the agent reads next. */
  user(content: string | JsonObject[], { event, line = {}, parentToolUseId = null }: About): void {
    const place = { ...this.at(parentToolUseId), uuid: uuid() };
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (event !== undefined) this.emit(userEvent(place, blocks, event));
    const { promptId } = this.#sender.turn;
    const { uuid: id, timestamp } = place;
    this.writing.addMessages([
      { promptId, type: 'user', message: { role: 'user', content }, uuid: id, timestamp, ...line },
    ]);
  }

  /** What the CLI itself sends to the agent. A host does not receive what a subagent gets. */
  meta(content: string | JsonObject[]): void {
    this.user(content, {
      event: this.#subagent === undefined ? { isSynthetic: true } : undefined,
      line: { isMeta: true },
    });
  }

  /** Reports how a turn has ended. Who has seen the result may look into the log. */
  endTurn({ event, log, line }: TurnFact): void {
    const { id, transcript, parts } = this.#sender;
    if (log !== undefined) {
      const { argv, cwd, clock } = parts;
      const matched = [...log.matched, ...this.#judges.splice(0)];
      parts.log.write({ time: clock.timestamp(), pid: process.pid, argv, cwd, session_id: id, ...log, matched });
    }
    if (event !== undefined) this.emit({ ...event, result_index: this.#results++ });
    if (line === undefined) return;
    transcript.addLines(line);
    transcript.flush();
  }

  /** A rule of the scenario has answered a hook. */
  judgedBy(rule: string): void {
    this.#judges.push(rule);
  }

  /** A host that asked for it receives when the session works, and when nothing is left to do. */
  sendState(state: 'running' | 'idle'): void {
    if (this.#sender.parts.env['CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS'] !== '1' || this.#state === state) return;
    this.#state = state;
    this.system('session_state_changed', { state });
  }

  /** Whether something that is sent once is sent for the first time. */
  isFirst(what: string): boolean {
    if (this.#sent.has(what)) return false;
    this.#sent.add(what);
    return true;
  }

  hasSent(what: string): boolean {
    return this.#sent.has(what);
  }

  /** Writes lines about hooks, and shows what they say to the user. */
  write(lines: readonly TranscriptLine[]): void {
    this.writing.addMessages(lines);
    this.showMessages(lines);
  }

  /** Writes what hooks said that saw a tool's result, or the end of a turn. */
  writeHookLinesOfResult(): void {
    this.write(this.#sender.atWork.hookLinesOfResult.splice(0));
  }

  /** Shows what hooks say to the user. A host does not receive this from a subagent's hooks. */
  showMessages(lines: readonly TranscriptLine[]): void {
    if (this.#subagent !== undefined) return;
    for (const { attachment } of lines) {
      if (!isObject(attachment) || attachment['type'] !== 'hook_system_message') continue;
      const said = String(attachment['content']).split('\n');
      const content = said.map((line) => `${String(attachment['hookName'])} says: ${line}`).join('\n');
      this.system('informational', { content, level: 'notice' });
    }
  }
}
