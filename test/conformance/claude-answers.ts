import { expect } from 'vitest';
import { STREAM, say, type tool } from '../../packages/suites/src/drift/case.js';
import { observe } from '../../packages/suites/src/drift/observe.js';

interface Question {
  name: string;
  args?: readonly string[];
  files: Record<string, string | object>;
  uses: readonly ReturnType<typeof tool>[];
}

export interface Answer {
  text: string;
  /** It was not run, for want of a permission. */
  isRefused: boolean;
}

/** What the real Claude Code says to many uses of tools in one turn. */
export async function askClaude(
  command: readonly string[],
  { name, args = [], files, uses }: Question,
): Promise<Answer[]> {
  const { events } = await observe(
    { kind: 'real', command: [...command] },
    { name, args: [...STREAM, 'go', ...args], files, turns: [[...uses, say('done')]] },
  );
  const results = events.flatMap(({ message }) =>
    ((message as { content?: unknown[] } | undefined)?.content ?? []).filter(isResult),
  );
  expect(results).toHaveLength(uses.length);
  const { permission_denials: denials } = events.findLast(({ type }) => type === 'result') as {
    permission_denials: { tool_use_id: string }[];
  };
  const refused = new Set(denials.map(({ tool_use_id: id }) => id));
  return results.map(({ content, tool_use_id: id }) => ({ text: String(content), isRefused: refused.has(id) }));
}

function isResult(block: unknown): block is { content: unknown; tool_use_id: string } {
  return (block as { type?: unknown }).type === 'tool_result';
}
