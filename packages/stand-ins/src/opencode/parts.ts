import { relative, resolve } from 'node:path';
import type { Message, StopReason } from '@understudy/script';
import type { ToolCall } from '../shared/play-turn.js';
import type { StepUsage } from '../shared/step-usage.js';
import { newId } from './ids.js';

type Part = Record<string, unknown>;

const REASONS: Record<StopReason, string> = {
  tool_use: 'tool-calls',
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  refusal: 'content-filter',
};

export const NO_TOKENS = { input: 0, output: 0, reasoning: 0, cache: { write: 0, read: 0 } };

/** What the agent says or thinks. */
export function textPart(type: 'text' | 'reasoning', text: string): Part {
  return { type, text, time: { start: Date.now(), end: Date.now() } };
}

/** Paths are relative to `root`. */
export function toolPart(call: ToolCall, place: { cwd: string; root: string }): Part {
  const callID = newId('prt').replace('prt_', 'call_');
  return { type: 'tool', tool: call.name, callID, state: toolState(call, place) };
}

/** The end of a step, and what it cost. */
export function finishPart(
  { stopReason }: Message,
  { input, output, cacheRead, cacheCreation }: StepUsage,
): Part & { reason: string; tokens: typeof NO_TOKENS } {
  const cache = { write: cacheCreation, read: cacheRead };
  const tokens = { total: input + output + cache.write + cache.read, input, output, reasoning: 0, cache };
  return { reason: REASONS[stopReason], type: 'step-finish', tokens, cost: 0 };
}

function toolState(
  { name, input, result, started, ended }: ToolCall,
  place: { cwd: string; root: string },
): Record<string, unknown> {
  const time = { start: started, end: ended };
  // A command that fails is still a completed tool; its exit code is in the metadata.
  if (hasFailed(result)) return { status: 'error', input, error: result.text, time };
  const metadata = { truncated: false, ...result.shell, ...result.metadata };
  return { status: 'completed', input, output: result.text, metadata, title: titleOf(name, input, place), time };
}

/** Whether the tool itself failed: a command that fails has run. */
export function hasFailed({ isError, shell }: ToolCall['result']): boolean {
  return isError && shell === undefined;
}

/** The title of a tool call. */
function titleOf(name: string, input: Record<string, unknown>, { cwd, root }: { cwd: string; root: string }): string {
  const text = (key: string): string => (typeof input[key] === 'string' ? input[key] : '');
  switch (name) {
    case 'bash':
      return text('command');
    case 'read':
    case 'write':
    case 'edit':
      return relative(root, resolve(cwd, text('filePath')));
    case 'glob':
    case 'grep':
      return text('pattern');
    case 'todowrite': {
      const open = (Array.isArray(input['todos']) ? input['todos'] : []).filter(({ status }) => status !== 'completed');
      return `${open.length} todos`;
    }
    case 'task':
      return text('description');
    case 'invalid':
      return 'Invalid Tool';
    default:
      return '';
  }
}
