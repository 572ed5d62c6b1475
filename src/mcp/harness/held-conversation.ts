import type { ConversationEvent, HookRecorder, HookRecording } from '@understudy/agents';
import { UnderstudyError } from '@understudy/kit';
import type { Conversation, WorkflowProgress } from '@understudy/stage';
import { freshId } from './ids.js';
import { Reply } from './reply.js';

/** What is known of a conversation from its start on. */
export interface ConversationFacts {
  id: string;
  agent: string;
  stage: string;
  project: string;
  /** The plugin folders as they were named, not the copies that the CLI loads. */
  plugins: readonly string[];
  /** Its events and requests are written here. */
  artifacts: string;
}

/** A conversation that the harness holds for somebody: by its id, with its replies. */
export class HeldConversation {
  readonly facts: ConversationFacts;
  readonly startedAt = new Date();
  readonly #conversation: Conversation;
  readonly #recorder: HookRecorder | undefined;
  readonly #replies = new Map<string, Reply>();
  #running: Reply | undefined;
  #lastUsed = Date.now();
  #ended: string | undefined;

  constructor(facts: ConversationFacts, conversation: Conversation, recorder?: HookRecorder) {
    this.facts = facts;
    this.#conversation = conversation;
    this.#recorder = recorder;
  }

  get id(): string {
    return this.facts.id;
  }

  /** The conversation itself, also after its end: then it can be read and no longer be spoken to. */
  get conversation(): Conversation {
    this.#lastUsed = Date.now();
    return this.#conversation;
  }

  get events(): readonly ConversationEvent[] {
    return this.#conversation.events;
  }

  get workflow(): WorkflowProgress | undefined {
    return this.#conversation.workflow;
  }

  /** Why it ended; undefined while it lives. */
  get ended(): string | undefined {
    return this.#ended;
  }

  get running(): Reply | undefined {
    return this.#running?.status === 'running' ? this.#running : undefined;
  }

  get replies(): readonly Reply[] {
    return [...this.#replies.values()];
  }

  /** Milliseconds since somebody used it; a turn under way counts as use. */
  get idleMs(): number {
    return this.running === undefined ? Date.now() - this.#lastUsed : 0;
  }

  /** Says something. The reply has its id at once; its turn comes later. */
  send(text: string, options: { deadlineMs?: number } = {}): Reply {
    if (this.#ended !== undefined) throw endedConversation(this.id, this.#ended);
    if (this.running !== undefined) {
      throw new UnderstudyError('AGENT_BUSY', `the agent is still busy with ${this.running.id}`, {
        fix: `Wait for it with get_response("${this.running.id}"), or cancel that request to stop the agent.`,
      });
    }
    const turn = this.#conversation.send(text, options).finally(() => {
      this.#lastUsed = Date.now();
    });
    const reply: Reply = new Reply(freshId('response'), this.id, text, turn);
    this.#replies.set(reply.id, reply);
    this.#running = reply;
    return reply;
  }

  /** What its hooks got and said, as they were seen on their own side. */
  recordedHooks(): HookRecording[] {
    return this.#recorder?.readLog() ?? [];
  }

  reply(id: string): Reply | undefined {
    return this.#replies.get(id);
  }

  /** Passes on to the turn under way what happened. */
  push(event: ConversationEvent): void {
    this.#running?.push(event);
  }

  /** Stops the turn under way. */
  async cancel(): Promise<void> {
    if (this.running !== undefined) await this.#conversation.cancel();
  }

  async end(reason: string): Promise<void> {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    try {
      await this.#conversation.end(reason);
    } catch (error) {
      this.#ended = `${reason}; it did not end in order: ${error instanceof Error ? error.message : String(error)}`;
      throw error;
    } finally {
      await this.#running?.settled;
    }
  }
}

function endedConversation(id: string, reason: string): UnderstudyError {
  return new UnderstudyError('CONVERSATION_ENDED', `the conversation ${id} has ended: ${reason}`, {
    fix: 'Start a new one with start_conversation; the history of this one can still be read.',
  });
}
