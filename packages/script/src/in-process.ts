import { defineScenario, loadScenario, type Scenario } from './load.js';
import { mockToolResult } from './mock-tool.js';
import { type Prompt, parseSlashCommand } from './prompt.js';
import type { Block, Message, Reply, ToolResult, ToolUse, Unanswered } from './reply.js';
import type { Failure, ScenarioInput, ScriptedUsage } from './schema.js';
import { Script } from './script.js';
import type { UnusedPart } from './usage.js';

export type UsageTotals = Record<keyof ScriptedUsage, number>;

/** One turn of a simulated conversation: the prompt, the answer, and the rule that gave it. */
export interface SimulatedTurn {
  prompt: Prompt;
  /** The rule or turn that answered: `responses[2].turns[0]`, or `default_response`. */
  matched?: string;
  /** Everything the agent said and did, in order. */
  blocks: Block[];
  /** All of its text, in order. */
  text: string;
  tools: (ToolResult & { input: Record<string, unknown> })[];
  usage: UsageTotals;
  /** Failed attempts before the answer (`failure.times`). */
  retries: number;
  failure?: Failure;
  unanswered?: Unanswered;
}

/** A scenario that is played in this process. It starts no program. */
export interface Simulator {
  readonly scenario: Scenario;
  /** Sends a prompt and returns the whole turn. Tools are mocked, and delays are skipped. */
  send(prompt: string | Prompt): SimulatedTurn;
  readonly history: readonly SimulatedTurn[];
  /** Whether a sequence of turns is active. */
  readonly hasActiveSequence: boolean;
  /** Rules and turns that no prompt has reached. */
  readonly unused: UnusedPart[];
  /** Prompts and tool results that nothing answered. */
  readonly unmatched: readonly Unanswered[];
  /** Resets turn state, counts and history. */
  reset(): void;
}

/** Plays a scenario: a file's path, a loaded scenario, or the document itself. */
export function createSimulator(from: string | Scenario | ScenarioInput): Simulator {
  const script = new Script(toScenario(from));
  const play = script.play();
  const history: SimulatedTurn[] = [];
  return {
    scenario: script.scenario,
    history,
    get hasActiveSequence() {
      return play.hasActiveSequence;
    },
    get unused() {
      return script.usage.unused();
    },
    get unmatched() {
      return script.usage.unmatched;
    },
    send(said) {
      const prompt = toPrompt(said);
      const turn = playTurn(prompt, play.answer(prompt), script);
      history.push(turn);
      return turn;
    },
    reset() {
      play.reset();
      script.usage.reset();
      history.length = 0;
    },
  };
}

function toScenario(from: string | Scenario | ScenarioInput): Scenario {
  if (typeof from === 'string') return loadScenario(from);
  return 'document' in from ? (from as Scenario) : defineScenario(from as ScenarioInput);
}

function toPrompt(said: string | Prompt): Prompt {
  const prompt = typeof said === 'string' ? { text: said } : said;
  const command = prompt.command ?? parseSlashCommand(prompt.text);
  return command === undefined ? prompt : { ...prompt, command };
}

function playTurn(prompt: Prompt, answer: Reply, script: Script): SimulatedTurn {
  const turn: SimulatedTurn = { prompt, blocks: [], text: '', tools: [], usage: noUsage(), retries: 0 };
  let reply: Reply | undefined = answer;
  while (reply !== undefined) {
    if (reply.kind === 'unanswered') {
      turn.unanswered = reply;
      break;
    }
    turn.matched ??= reply.kind === 'message' ? reply.message.rulePath : reply.rulePath;
    const message: Message | undefined = reply.kind === 'message' ? reply.message : reply.afterwards;
    if (reply.kind === 'failure') {
      turn.retries = reply.failure.times ?? 0;
      if (message === undefined) turn.failure = reply.failure;
    }
    if (message === undefined) break;
    const results = applyMessage(message, turn, script);
    reply = message.next?.(results);
  }
  turn.text = turn.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return turn;
}

/** Adds a message to the turn and runs its mocked tools. */
function applyMessage(message: Message, turn: SimulatedTurn, script: Script): ToolResult[] {
  turn.blocks.push(...message.blocks);
  for (const key of Object.keys(turn.usage) as (keyof ScriptedUsage)[]) turn.usage[key] += message.usage?.[key] ?? 0;
  const uses = message.blocks.filter((block): block is ToolUse => block.type === 'tool_use');
  const results = uses.map((use) => mockToolResult(use, script.scenario.document.tool_execution));
  turn.tools.push(...results.map((result, i) => ({ ...result, input: uses[i]?.input ?? {} })));
  return results;
}

function noUsage(): UsageTotals {
  return { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
}
