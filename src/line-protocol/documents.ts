import type { EventBody } from '@understudy/agents';
import { defined } from '@understudy/kit';
import { type AgentCall, type Turn, textOfCall } from '@understudy/stage';
import type { PlacedRun } from '../testing/judge-run.js';

/** A turn as clients get it. */
export function turnDocument(turn: Turn) {
  const { number, prompt, text, outcome, ok, reason, message, milliseconds, command } = turn;
  return {
    ...{ number, prompt, text, outcome, ok, milliseconds },
    ...defined({ reason, message, stage: turn.workflowStage, cost_usd: turn.costUsd }),
    ...(turn.usage === undefined ? {} : { usage: usageDocument(turn.usage) }),
    tools: turn.tools.map(({ id, tool, input, status, result, agent }) => ({
      ...{ id, tool, input },
      ...defined({ status, result, agent }),
    })),
    ...(command === undefined
      ? {}
      : { command: { name: command.name, status: command.status, ...defined({ expansion: command.expansion }) } }),
    hooks: turn.hooks.map(({ event, name, outcome: end, blocked, exitCode }) => ({
      ...{ event, name, outcome: end, blocked },
      ...defined({ exit_code: exitCode }),
    })),
    permissions: turn.permissions.map(({ tool, decision }) => ({ tool, decision })),
    files: turn.files.map(({ path, change }) => ({ path, change })),
    commits: turn.commits.map(({ hash, message }) => ({ hash, message: message })),
    transitions: turn.transitions.map(({ from, to }) => ({ from, to })),
  };
}

function usageDocument(usage: NonNullable<Turn['usage']>) {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return {
    ...{ input_tokens: inputTokens, output_tokens: outputTokens },
    ...defined({ cache_read_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens }),
  };
}

/** A run of a program, or what the test itself called, as clients get it. */
export function runDocument({ number, ended, calls, reached, unsupported }: PlacedRun) {
  return {
    run: number,
    ...(ended === undefined
      ? {}
      : {
          ...{ code: ended.code, signal: ended.signal, stdout: ended.stdout, stderr: ended.stderr },
          ...{ milliseconds: ended.milliseconds, timed_out: ended.timedOut, leftovers: ended.leftovers ?? [] },
        }),
    calls: calls.map(callDocument),
    not_in_place: reached,
    unsupported,
  };
}

function callDocument(call: AgentCall) {
  const { number, agent, command, cwd, prompt, stdin, stdout, stderr, code, signal, events } = call;
  const ended = events.find((event) => event.type === 'turn_ended');
  return {
    ...{ number, agent, command, prompt, text: textOfCall(call) },
    ...defined({ cwd, stdin, stdout, stderr, code, signal, outcome: ended?.outcome, reason: ended?.reason }),
    tools: events.flatMap((event) => (event.type === 'tool_call' ? [toolDocument(event, events)] : [])),
  };
}

function toolDocument({ id, tool, input }: Extract<EventBody, { type: 'tool_call' }>, events: readonly EventBody[]) {
  const result = events.find((event) => event.type === 'tool_result' && event.id === id);
  return {
    ...{ id, tool, input },
    ...(result?.type === 'tool_result' ? { status: result.status, result: result.text } : {}),
  };
}
