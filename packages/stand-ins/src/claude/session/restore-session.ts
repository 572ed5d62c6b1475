import { resolve } from 'node:path';
import { hookText, toolName } from '@understudy/agents';
import { isObject, isStringList, type JsonObject } from '@understudy/kit';
import type { Session } from './session.js';
import type { StoredSession } from './session-store.js';
import { STATE_LINE } from './transcript.js';

/** The lines that a fork copies. */
const INHERITED: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'attachment', STATE_LINE]);

/** Restores the state of an earlier process. A fork copies its lines. */
export function restoreSession(session: Session, stored: StoredSession): void {
  const { transcript, known } = session.conversation;
  session.spending.restore(stored.modelUsage);
  transcript.leaf = stored.leaf;
  const isFork = stored.id !== session.id;
  const { lines } = stored;
  const unanswered = lines.findLastIndex(isAnswer) + 1;
  for (const text of lines.flatMap(textsOfStart)) known.add(text);
  for (const text of lines.slice(0, unanswered).flatMap(listedTexts)) known.add(text);
  session.atWork.notes.push(...lines.slice(unanswered).flatMap(textsFor(lines)));
  session.conversation.answered = answersIn(lines);
  for (const tool of lines.flatMap(toolsNamed)) session.atWork.namedTools.add(tool);
  for (const line of lines) restoreSeenFile(session, line);
  if (isFork) transcript.inherit(lines.filter(({ type }) => INHERITED.has(String(type))));
}

/** A message that the API takes for one of the model. */
function isAnswer({ type, isApiErrorMessage }: JsonObject): boolean {
  return type === 'assistant' && isApiErrorMessage !== true;
}

/** How many messages of the model there are behind the last summary. */
function answersIn(lines: readonly JsonObject[]): number {
  const after = lines.slice(lines.findLastIndex(({ subtype }) => subtype === 'compact_boundary') + 1);
  return new Set(after.filter(isAnswer).map(({ message }) => isObject(message) && message['id'])).size;
}

/** What hooks said at the start of an earlier process: the same is not said again. */
function textsOfStart({ attachment }: JsonObject): string[] {
  return isObject(attachment) && attachment['hookEvent'] === 'SessionStart' ? [hookText(attachment)] : [];
}

/** What an earlier process read or wrote is still known. */
function restoreSeenFile({ conversation, parts }: Session, { toolUseResult: result, timestamp }: JsonObject): void {
  if (!isObject(result)) return;
  const { file = result } = result;
  if (!isObject(file)) return;
  const { filePath, content, numLines, totalLines } = file;
  if (typeof filePath !== 'string' || typeof content !== 'string') return;
  conversation.seenFiles.restore(
    resolve(parts.cwd, filePath),
    content,
    Date.parse(String(timestamp)),
    numLines === totalLines,
  );
}

/** The agents and skills in a line. */
function listedTexts({ attachment }: JsonObject): string[] {
  if (!isObject(attachment)) return [];
  const { type, content, addedLines } = attachment;
  const listed = type === 'skill_listing' ? String(content).split(/\n(?=- )/) : [];
  return [...listed, ...(Array.isArray(addedLines) ? addedLines.map(String) : [])];
}

/** What the model receives from a line that it has not answered. */
function textsFor(lines: readonly JsonObject[]): (line: JsonObject) => string[] {
  const boundary = lines.findLast(({ subtype }) => subtype === 'compact_boundary')?.['compactMetadata'];
  const keepsMessages = isObject(boundary) && boundary['preservedMessages'] !== undefined;
  return (line) => {
    const { type, subtype, content, message, attachment, rendered } = line;
    if (type === 'system') return subtype === 'local_command' && typeof content === 'string' ? [content] : [];
    if (type === 'attachment') {
      const ofHook = isObject(attachment) && String(attachment['type']).startsWith('hook_');
      return ofHook && Array.isArray(rendered) ? rendered.filter(isObject).map(withoutReminder) : [];
    }
    if (type !== 'user' || !isObject(message)) return [];
    // A summary stands before the messages that are kept.
    if (line['isCompactSummary'] === true && keepsMessages) return [];
    return textsIn(message['content']);
  };
}

function withoutReminder({ content }: JsonObject): string {
  return String(content).replace(/^<system-reminder>\n|\n<\/system-reminder>$/g, '');
}

function textsIn(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).flatMap((block) => textsIn(block['text'] ?? block['content']));
}

/** The tools that a line of an earlier process names: the agent's own, and those that a subagent used. */
function toolsNamed({ message, toolUseResult }: JsonObject): string[] {
  const used = isObject(toolUseResult) ? toolUseResult['toolsUsed'] : undefined;
  const content = isObject(message) && Array.isArray(message['content']) ? message['content'] : [];
  const own = content.filter(isObject).filter(({ type }) => type === 'tool_use');
  return [...own.map(({ name }) => toolName(String(name))), ...(isStringList(used) ? used : [])];
}
