import { defined, isObject } from '@understudy/kit';
import { unquoted } from '@understudy/script';
import { objectOf, objectsIn, stringOf } from '../../server/wire/json.js';
import type { Imported, ImportedStep, ImportedTurn } from './formats.js';

type Fields = Record<string, unknown>;

/** A session of OpenCode, as `opencode export` prints it: messages of parts; each of the assistant is one answer. */
export function readOpencode(document: unknown): Imported | undefined {
  if (!isObject(document) || !isObject(document['info'])) return undefined;
  const messages = objectsIn(document['messages']);
  if (messages.length === 0 || !messages.every(({ info, parts }) => isObject(info) && Array.isArray(parts))) {
    return undefined;
  }
  const { info: head } = document;
  const turns: ImportedTurn[] = [];
  let model: string | undefined;
  for (const message of messages) {
    const [info, parts] = [objectOf(message['info']), objectsIn(message['parts'])];
    if (info['role'] === 'user') {
      const prompt = promptOf(parts);
      if (prompt !== '') turns.push({ conversation: 'c1', prompt, steps: [] });
      continue;
    }
    model ??= stringOf(info['modelID']);
    turns.at(-1)?.steps.push(stepOf(info, parts));
  }
  const created = Number(objectOf(head['time'])['created']);
  return {
    ...{ format: 'opencode', agent: 'opencode', turns: turns.filter(({ steps }) => steps.length > 0) },
    ...defined({
      model,
      version: stringOf(head['version']),
      cwd: stringOf(head['directory']),
      recordedAt: created > 0 ? new Date(created).toISOString() : undefined,
    }),
  };
}

/** `opencode run` puts a prompt in quotation marks. Texts of its own are `synthetic`. */
function promptOf(parts: readonly Fields[]): string {
  const texts = parts.flatMap((part) =>
    part['type'] === 'text' && part['synthetic'] !== true ? (stringOf(part['text']) ?? []) : [],
  );
  return unquoted(texts.join('\n').trim());
}

function stepOf(info: Fields, parts: readonly Fields[]): ImportedStep {
  const error = objectOf(objectOf(info['error'])['data']);
  const message = stringOf(error['message']);
  const status = Number(error['statusCode'] ?? 500);
  return {
    text: parts.flatMap((part) => (part['type'] === 'text' ? (stringOf(part['text']) ?? []) : [])).join(''),
    tools: parts.filter((part) => part['type'] === 'tool').map(toolOf),
    ...(message === undefined ? {} : { failure: { status, message } }),
  };
}

function toolOf(part: Fields): ImportedStep['tools'][number] {
  const state = objectOf(part['state']);
  return {
    ...{ id: stringOf(part['callID']) ?? '', name: stringOf(part['tool']) ?? '', input: objectOf(state['input']) },
    result: stringOf(state['output']) ?? stringOf(state['error']) ?? '',
    failed: state['status'] === 'error',
  };
}
