import { isObject, type JsonObject, parseJson, type UntrustedFolder } from '@understudy/kit';
import type { TranscriptTurn } from '../driver.js';
import type { EventBody } from '../events.js';
import { ClaudeTranslator } from './translate.js';

/**
 * Reads what Claude Code wrote into its transcripts since the last look: messages, and which tools ran. A call is reported
 * together with its result: while a dialog asks the user, the tool has not run.
 */
export class TranscriptReader {
  readonly #home: UntrustedFolder;
  readonly #translator: ClaudeTranslator;
  readonly #read = new Map<string, number>();
  readonly #open = new Map<string, EventBody>();

  constructor(home: UntrustedFolder, stage: string) {
    this.#home = home;
    this.#translator = new ClaudeTranslator(stage);
  }

  read(): EventBody[] {
    return transcriptsIn(this.#home).flatMap((file) => {
      const before = this.#read.get(file) ?? 0;
      const { lines, end } = linesOf(this.#home, file, before);
      this.#read.set(file, end);
      return lines
        .flatMap((line) => transcriptEvents(line, this.#translator))
        .flatMap((event) => this.#withItsCall(event));
    });
  }

  #withItsCall(event: EventBody): EventBody[] {
    if (event.type === 'tool_call') this.#open.set(event.id, event);
    if (event.type !== 'tool_result') return event.type === 'tool_call' ? [] : [event];
    const call = this.#open.get(event.id);
    this.#open.delete(event.id);
    return call === undefined ? [event] : [call, event];
  }
}

/** The turns of all sessions. */
export function transcriptTurns(home: UntrustedFolder): TranscriptTurn[] {
  return transcriptsIn(home).flatMap((file) => {
    const turns: { at: number; cwd: string; prompt: string; lines: JsonObject[] }[] = [];
    for (const line of linesOf(home, file).lines) {
      const prompt = line['isSidechain'] === true ? undefined : promptOf(line);
      if (prompt === undefined) turns.at(-1)?.lines.push(line);
      else turns.push({ at: Date.parse(String(line['timestamp'])), cwd: String(line['cwd']), prompt, lines: [] });
    }
    return turns.map(({ lines, ...turn }) => ({ ...turn, events: (stage) => eventsIn(lines, stage) }));
  });
}

function eventsIn(lines: readonly JsonObject[], stage: string): EventBody[] {
  const translator = new ClaudeTranslator(stage);
  return lines.flatMap((line) => transcriptEvents(line, translator));
}

/** A line of a transcript as events. It is nearly what the CLI prints with `stream-json`. */
function transcriptEvents(line: JsonObject, translator: ClaudeTranslator): EventBody[] {
  const { isSidechain, agentId, permissionDecision, message, type } = line;
  const by = isSidechain === true ? { parent_tool_use_id: String(agentId ?? 'subagent') } : {};
  if (type === 'assistant') return translator.translate({ type, message, ...by });
  if (type !== 'user' || line['isMeta'] === true) return [];
  const decided = isObject(permissionDecision)
    ? { tool_result_meta: resultIds(message).map((id) => ({ id, permission_decision: permissionDecision })) }
    : {};
  return translator.translate({ type, message, ...decided, ...by });
}

function resultIds(message: unknown): string[] {
  const content = isObject(message) ? message['content'] : undefined;
  return Array.isArray(content)
    ? content.flatMap((block) => (isObject(block) ? [String(block['tool_use_id'])] : []))
    : [];
}

/** What the user said in a line; tool results and what the CLI adds are not theirs. */
function promptOf({ type, isMeta, message }: JsonObject): string | undefined {
  if (type !== 'user' || isMeta === true || !isObject(message)) return undefined;
  const { content } = message;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content) || content.some((block) => isObject(block) && block['type'] === 'tool_result'))
    return undefined;
  return content
    .flatMap((block) => (isObject(block) && typeof block['text'] === 'string' ? [block['text']] : []))
    .join('\n');
}

function transcriptsIn(home: UntrustedFolder, folder = '.claude/projects'): string[] {
  return home.list(folder).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return transcriptsIn(home, path);
    return entry.name.endsWith('.jsonl') ? [path] : [];
  });
}

/** Whole lines only, and where they end: the last one may be half written. */
function linesOf(home: UntrustedFolder, file: string, from = 0): { lines: JsonObject[]; end: number } {
  const bytes = home.piece(file, { from })?.bytes ?? Buffer.alloc(0);
  const length = bytes.lastIndexOf('\n') + 1;
  const lines = bytes.toString('utf8', 0, length).split('\n').slice(0, -1);
  return {
    lines: lines.map((line) => parseJson(line)).map((line) => (isObject(line) ? line : {})),
    end: from + length,
  };
}
