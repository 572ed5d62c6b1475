import { defined } from '@understudy/kit';
import type { TokenUsage, TurnEnded } from '../events.js';
import type { TypedCommand } from './commands.js';
import type { TurnSeen } from './translate.js';
import type { ClaudeResult } from './wire.js';

export type CommandStatus = 'expanded' | 'local' | 'unknown';

/** What became of a slash command, by what the CLI did with it. It never says so itself. */
export function commandStatus(seen: TurnSeen): CommandStatus | undefined {
  if (seen.promptBlocked !== undefined) return undefined;
  if (seen.expandedCommand !== undefined) return 'expanded';
  if (seen.synthetic.some((text) => /^Unknown (slash )?command/i.test(text))) return 'unknown';
  if (seen.replayed) return 'unknown';
  if (seen.printedLocally || seen.synthetic.length > 0 || seen.reset || seen.result?.num_turns === 0) return 'local';
  return undefined;
}

/** The turn's outcome by its events; `milliseconds` is ours. */
export function judgeTurn(
  seen: TurnSeen & { result: ClaudeResult },
  context: { command: TypedCommand | undefined; interrupted: boolean; milliseconds: number; costBefore?: number },
): TurnEnded {
  const { result } = seen;
  const { costBefore = 0 } = context;
  const base = {
    type: 'turn_ended',
    milliseconds: context.milliseconds,
    ...defined({ usage: usageOf(result) }),
    // The CLI counts up over the whole session.
    ...defined({
      costUsd: result.total_cost_usd === undefined ? undefined : costOfTurn(result.total_cost_usd, costBefore),
      modelTurns: result.num_turns,
    }),
  } as const;
  if (result.terminal_reason?.startsWith('aborted') || (context.interrupted && result.is_error)) {
    return { ...base, outcome: 'interrupted', reason: result.terminal_reason ?? 'interrupted' };
  }
  // First of all failures: what answered an unknown command, or did not, says nothing about the command.
  if (context.command !== undefined && commandStatus(seen) === 'unknown') {
    const { typed, similar } = context.command;
    const hint = similar.length === 0 ? '' : `; it knows ${similar.map((name) => `/${name}`).join(', ')}`;
    return {
      ...base,
      outcome: 'failed',
      reason: 'unknown_command',
      message: `Claude Code does not know ${typed} and took it for plain text${hint}`,
    };
  }
  if (result.is_error || result.subtype !== 'success') {
    const message = result.result ?? result.errors?.join('; ') ?? result.subtype;
    const reason = result.api_error_status
      ? 'api_error'
      : result.subtype === 'success'
        ? 'agent_error'
        : result.subtype;
    return { ...base, outcome: 'failed', reason, message };
  }
  if (seen.promptBlocked !== undefined) {
    return { ...base, outcome: 'failed', reason: 'blocked_by_hook', message: seen.promptBlocked };
  }
  return { ...base, outcome: 'completed' };
}

/** In a session that began anew, all is new. Differences of decimals have a long tail, which is cut. */
function costOfTurn(total: number, before: number): number {
  return Number((total < before ? total : total - before).toFixed(9));
}

/** What the turn used, its subagents included where the CLI says so. */
function usageOf({ usage, model_usage_since_last_result: byModel }: ClaudeResult): TokenUsage | undefined {
  const models = Object.values(byModel ?? {});
  if (models.length > 0) {
    const sum = (count: (model: (typeof models)[number]) => number | undefined) =>
      models.reduce((total, model) => total + (count(model) ?? 0), 0);
    return {
      inputTokens: sum(({ inputTokens }) => inputTokens),
      outputTokens: sum(({ outputTokens }) => outputTokens),
      cacheReadTokens: sum(({ cacheReadInputTokens }) => cacheReadInputTokens),
      cacheWriteTokens: sum(({ cacheCreationInputTokens }) => cacheCreationInputTokens),
    };
  }
  if (usage === undefined) return undefined;
  return {
    inputTokens: usage.input_tokens ?? 0,
    outputTokens: usage.output_tokens ?? 0,
    cacheReadTokens: usage.cache_read_input_tokens ?? 0,
    cacheWriteTokens: usage.cache_creation_input_tokens ?? 0,
  };
}
