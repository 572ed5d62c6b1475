import { matcherCovers } from '@understudy/agents';
import type { DeclaredHook } from '@understudy/stage';
import { type Part, ruleFor } from './part.js';

/** Whether the hook asks a model, which the rehearsal answers for. */
export function asksModel({ type }: DeclaredHook): boolean {
  return type === 'prompt' || type === 'agent';
}

/** A word in the inputs of these steps and in no other, so that the model objects here alone. */
const MARK = 'judged-by-the-model';
const INPUTS: Record<string, Record<string, string>> = {
  Bash: { command: `echo ${MARK}` },
  Write: { file_path: `${MARK}.txt`, content: 'example' },
};

const COMMENTS = ['What the model answers to a hook is JSON: { "ok": true } or { "ok": false, "reason": "…" }.'];

/** A hook that asks a model before a tool runs: the model objects, and the tool does not run. */
export function askingToolPart(hook: DeclaredHook): Part | undefined {
  const { event, matcher } = hook;
  const tool = Object.keys(INPUTS).find((name) => matcherCovers(matcher, name));
  if (event !== 'PreToolUse' || tool === undefined) return undefined;
  const send = `Use ${tool}, and let the hook ask.`;
  const reason = `The model does not want this ${tool}.`;
  return {
    name: `PreToolUse asks the model about ${tool}, which objects`,
    comments: COMMENTS,
    rules: [
      ruleFor(send, { tool_calls: [{ tool, input: INPUTS[tool] }], then: 'Done.' }),
      { pattern: { type: 'contains', text: MARK }, when: { hook: event }, response: objection(reason) },
    ],
    send,
    expect: {
      tools: { calls: [{ tool, status: 'blocked' }] },
      hooks: [{ event, on: tool, blocked: true, reason }],
    },
    isUnlike: true,
  };
}

/** A hook that asks a model at the end of a turn: the model objects, and the agent goes on. */
export function askingStopPart(feedback: string): Part {
  const event = 'Stop';
  const send = 'Say something, and let the hook ask.';
  const reason = 'The model wants one thing more.';
  return {
    name: 'Stop asks the model, which objects, and the agent goes on',
    comments: COMMENTS,
    rules: [
      ruleFor(send, `This is ${MARK}.`),
      { pattern: { type: 'contains', text: MARK }, when: { hook: event }, response: objection(reason) },
      // A rule for another Stop hook may answer it first.
      { pattern: { type: 'contains', text: feedback }, optional: true, response: 'Now it is done.' },
    ],
    send,
    expect: { says: 'Now it is done.', hooks: [{ event, blocked: true, reason }] },
  };
}

function objection(reason: string): string {
  return JSON.stringify({ ok: false, reason });
}
