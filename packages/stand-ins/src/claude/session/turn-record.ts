import type { JsonObject } from '@understudy/kit';
import type { LogEntry } from '../../shared/request-log.js';
import { milliseconds } from '../../shared/stopwatch.js';
import { uuid } from '../output/ids.js';
import { noTokens, type Tokens } from '../output/usage.js';
import type { Session } from './session.js';
import { addTokens } from './tally.js';

/** What happens in one turn, for its result and for the log. */
export class TurnRecord {
  readonly id = uuid();
  readonly startedAt = milliseconds();
  readonly tokens: Tokens = noTokens();
  /** Those of the last message. */
  lastTokens: Tokens = noTokens();
  readonly denials: JsonObject[] = [];
  readonly matched: string[] = [];
  readonly tools: LogEntry['tools'] = [];
  /** What the model is given in this turn: prompts, tool results, the CLI's notes. */
  readonly told: string[] = [];
  /** The same of the subagents that this turn has started. */
  readonly toldSubagents: NonNullable<LogEntry['told']> = [];
  /** The only tools that a subagent has; absent: all of the session. */
  offered: readonly string[] | undefined;
  /** What had no answer, also in its subagents. */
  readonly unanswered: { message: string; fix: string }[] = [];
  /** Lines in the user's role since the prompt: each begins a new request to the model. */
  userLines = 0;
  text = '';
  /** What was shown of it. */
  shown = '';
  stopReason: string | null = null;
  firstTokenMs: number | undefined;
  /** The model has answered, and no answer had anything in it. */
  isSilent: boolean | undefined;
  structuredOutput: unknown;
  readonly prompt: string;
  command: string | undefined;
  failure: string | undefined;

  /** The texts of the prompt, as the user has sent them. */
  readonly #texts: readonly string[];
  /** Those that a server has given for it. */
  served: readonly string[] | undefined;

  constructor(prompt: string, texts: readonly string[] = [prompt]) {
    this.prompt = prompt;
    this.#texts = texts;
  }

  /** What the model reads of a prompt: the texts of the user, or what they stand for. */
  textsOf(prompt: string): readonly string[] {
    return prompt === this.prompt ? this.#texts : (this.served ?? [prompt]);
  }

  count(session: Session, model: string, tokens: Tokens): void {
    addTokens(this.tokens, tokens);
    this.lastTokens = tokens;
    session.spending.add(model, tokens);
    session.conversation.contextTokens += tokens.input + tokens.output;
  }

  firstToken(): number {
    this.firstTokenMs ??= milliseconds() - this.startedAt;
    return this.firstTokenMs;
  }

  get durationMs(): number {
    return milliseconds() - this.startedAt;
  }
}
