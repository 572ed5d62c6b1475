import { randomUUID } from 'node:crypto';
import {
  createSimulator,
  describeUnanswered,
  type Scenario,
  type ScriptUsage,
  type SimulatedTurn,
  type Simulator,
} from '@understudy/script';
import type { AgentSession } from '../driver.js';
import type { EventBody, Reportable, TurnEnded } from '../events.js';
import { OneTurn } from '../one-turn.js';

export interface InProcessOptions {
  scenario: Scenario;
  cwd: string;
  emit: (event: EventBody) => void;
}

/** A scenario that speaks for itself, without a process: tools are mocked, delays are not waited for. */
export class InProcessSession implements AgentSession {
  readonly sessionId = randomUUID();
  readonly pid = undefined;
  readonly #simulator: Simulator;
  readonly #options: InProcessOptions;
  readonly #turn: OneTurn;

  constructor(options: InProcessOptions) {
    this.#options = options;
    this.#simulator = createSimulator(options.scenario);
    this.#turn = new OneTurn('The simulator', options.emit);
    const { cwd } = options;
    const reports: Reportable[] = ['tools', 'commands'];
    options.emit({ type: 'session', agent: 'simulator', stage: 'sim', sessionId: this.sessionId, cwd, reports });
  }

  async send(text: string): Promise<TurnEnded> {
    const done = this.#turn.begin();
    const id = randomUUID();
    this.#options.emit({ type: 'prompt', id, text });
    const turn = this.#play(text);
    for (const event of eventsOf(turn, id)) this.#options.emit(event);
    const milliseconds = this.#turn.close();
    this.#turn.finish({ ...verdictOf(turn), milliseconds });
    return done;
  }

  #play(text: string): SimulatedTurn {
    try {
      return this.#simulator.send({ text, cwd: this.#options.cwd });
    } catch (error) {
      // The turn is over, and a later one may begin.
      this.#turn.fail('died', error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  /** What was used of the script so far. */
  scriptUsage(): ScriptUsage {
    const { unused, unmatched } = this.#simulator;
    return { unused, unmatched };
  }

  /** A turn is over before anybody could interrupt it. */
  async interrupt(): Promise<void> {}

  async end(): Promise<void> {
    this.#turn.shut('the conversation has ended');
  }
}

function eventsOf(turn: SimulatedTurn, id: string): EventBody[] {
  const events: EventBody[] = [];
  const { command } = turn.prompt;
  if (command !== undefined)
    events.push({ type: 'command', typed: `/${command.name}`, ...command, status: 'expanded' });
  let used = 0;
  for (const block of turn.blocks) {
    if (block.type !== 'tool_use') {
      events.push({ type: block.type, text: block.text });
      continue;
    }
    const callId = `${id}/${used}`;
    const result = turn.tools[used++];
    events.push({ type: 'tool_call', id: callId, tool: block.tool, input: block.input });
    if (result === undefined) continue;
    const status = result.isError ? 'error' : 'ok';
    events.push({ type: 'tool_result', id: callId, tool: block.tool, text: result.text, status });
  }
  return events;
}

function verdictOf(turn: SimulatedTurn): Omit<TurnEnded, 'milliseconds'> {
  const usage = { inputTokens: turn.usage.input_tokens, outputTokens: turn.usage.output_tokens };
  if (turn.unanswered !== undefined) {
    const message = describeUnanswered(turn.unanswered);
    return { type: 'turn_ended', outcome: 'failed', reason: 'unanswered', message, usage };
  }
  if (turn.failure !== undefined) {
    return { type: 'turn_ended', outcome: 'failed', reason: 'api_error', message: turn.failure.type, usage };
  }
  return { type: 'turn_ended', outcome: 'completed', usage };
}
