import { isObject, type JsonObject, parseJson } from '@understudy/kit';
import type { HookPrompt, HookQuestion } from '@understudy/model';

export type AskingKind = HookQuestion['kind'];

/** A verdict, or why an answer is none. */
export type HookAnswer = { ok: boolean; reason: string; impossible?: true } | { problem: string };

/** What a hook asks: its text has the input of the hook for `$ARGUMENTS`, or at its end. */
export function questionText(prompt: string, input: JsonObject): string {
  const json = JSON.stringify(input);
  const text = prompt.replaceAll('$ARGUMENTS', () => json);
  return text === prompt ? `${prompt}\n\nARGUMENTS: ${json}` : text;
}

/** The question as a prompt: who asks it, where, and which agent it is about. */
export function questionPrompt(
  event: string,
  text: string,
  { cwd, agent_type: agent }: JsonObject,
): HookPrompt['prompt'] {
  return {
    ...{ text, hook: event },
    ...(typeof cwd === 'string' ? { cwd } : {}),
    ...(typeof agent === 'string' ? { agent } : {}),
  };
}

const SYSTEM = /You are (?:evaluating a (?:\S+ )?hook|verifying a stop condition) in Claude Code/;
const AGENT = /StructuredOutput tool/;
/** The words that the CLI puts before the text of a hook that judges the end of a turn. */
const CONDITION = /^Based on the conversation transcript above,[^\n]*\n\nCondition: /;
const MARK = '"hook_event_name":"';

/** Reads what a hook asks from a request; undefined if it is no question of a hook. */
export function readQuestion(asked: string, system: () => string): HookQuestion | undefined {
  if (!asked.includes(MARK)) return undefined;
  const instructions = system();
  if (!SYSTEM.test(instructions)) return undefined;
  const text = asked.replace(CONDITION, '');
  const payload = parseJson(text.slice(text.indexOf('{"session_id"'), text.lastIndexOf('}') + 1));
  const fields = isObject(payload) ? payload : {};
  const [, event = ''] = new RegExp(`${MARK}(\\w+)`).exec(text) ?? [];
  const kind = AGENT.test(instructions) ? 'agent' : 'prompt';
  return { kind, event, name: questionName(event, fields), text, payload: fields };
}

function questionName(event: string, { tool_name: tool }: JsonObject): string {
  return typeof tool === 'string' ? `${event}:${tool}` : event;
}

/** What the CLI makes of the model's answer. */
export function readAnswer(text: string): HookAnswer {
  const verdict = parseJson(text.trim());
  if (!isObject(verdict)) return { problem: 'JSON validation failed' };
  const { ok, reason, impossible } = verdict;
  if (typeof ok !== 'boolean') return { problem: `Schema validation failed: ${wrongOk(ok)}` };
  return { ok, reason: String(reason), ...(impossible === true ? { impossible } : {}) };
}

function wrongOk(ok: unknown): string {
  const message = `Invalid input: expected boolean, received ${ok === null ? 'null' : typeof ok}`;
  return JSON.stringify([{ expected: 'boolean', code: 'invalid_type', path: ['ok'], message }], null, 2);
}
