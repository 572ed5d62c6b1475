import type { Json } from './observe.js';

/**
 * The real CLI starts a tool while the rest of the message still comes in, and reading tools run at the same time: the
 * order of what belongs to one message depends on the clock. Here its blocks come first, then for each tool what hooks
 * said before it, its result, and what hooks said after it.
 */
export function inOrder(lines: readonly Json[]): Json[] {
  const ordered: Json[] = [];
  let said: Json[] = [];
  let results: Json[] = [];
  const flush = (): void => {
    const asked = said.map((line) => contentOf(line['message'])[0]?.['id']);
    const place = (line: Json): number => asked.indexOf(toolOf(line)) * 3 + stageOf(line);
    ordered.push(...said, ...results.sort((a, b) => place(a) - place(b)));
    said = [];
    results = [];
  };
  for (const line of lines) {
    // What hooks show the user names no tool, and comes between the results of others.
    const isResult = toolOf(line) !== undefined || line['subtype'] === 'informational';
    // The parts of a message stay where they are.
    const isPart = line['type'] === 'stream_event' && (line['event'] as Json | undefined)?.['type'] !== 'message_start';
    if (isPart && said.length > 0 && results.length === 0) {
      said.push(line);
      continue;
    }
    const goesOn = line['type'] === 'assistant' && messageId(line) === messageId(said[0]);
    if (isResult && said.length > 0) results.push(line);
    else {
      if (!goesOn) flush();
      if (line['type'] === 'assistant') said.push(line);
      else ordered.push(line);
    }
  }
  flush();
  return ordered;
}

/** The tool use that a line is about: its result, its refusal, or what a hook said about it. */
function toolOf(line: Json): unknown {
  const about = (line['attachment'] as Json | undefined)?.['toolUseID'];
  if (typeof about === 'string') return about.startsWith('toolu') ? about : undefined;
  if (line['subtype'] === 'permission_denied') return line['tool_use_id'];
  return contentOf(line['message'])[0]?.['tool_use_id'];
}

function stageOf({ attachment, subtype }: Json): number {
  if (subtype === 'permission_denied') return 0;
  if (attachment === undefined) return 1;
  const { hookEvent, type } = attachment as Json;
  return hookEvent === 'PreToolUse' && type !== 'hook_stopped_continuation' ? 0 : 2;
}

function messageId(line: Json | undefined): unknown {
  return (line?.['message'] as Json | undefined)?.['id'];
}

/** The order of instructions for a file is that of the folder on the disk. */
export function memoryByPath(lines: readonly Json[]): Json[] {
  const pathOf = ({ attachment }: Json): string | undefined => {
    const { type, path } = (attachment ?? {}) as Json;
    return type === 'nested_memory' ? String(path) : undefined;
  };
  const ordered: Json[] = [];
  for (const line of lines) {
    const path = pathOf(line);
    let at = ordered.length;
    while (path !== undefined && (pathOf(ordered[at - 1] ?? {}) ?? '') > path) at--;
    ordered.splice(at, 0, line);
  }
  return ordered;
}

/** The blocks of a message. */
export function contentOf(message: unknown): Json[] {
  const content = (message as Json | undefined)?.['content'];
  return Array.isArray(content) ? (content as Json[]) : [];
}
