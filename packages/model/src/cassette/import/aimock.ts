import { isObject } from '@understudy/kit';
import { objectOf, objectsIn, parseObject, stringOf } from '../../server/wire/json.js';
import type { Imported, ImportedStep, ImportedTurn } from './formats.js';

/** Fixtures of aimock: `{ fixtures: [{ match, response }] }`. A fixture for a tool result goes on where its call was made. */
export function readAimock(document: unknown): Imported | undefined {
  const fixtures = isObject(document) ? objectsIn(document['fixtures']) : [];
  if (fixtures.length === 0 || !fixtures.every((fixture) => isObject(fixture['match']))) return undefined;
  const turns: ImportedTurn[] = [];
  for (const [index, fixture] of fixtures.entries()) {
    const match = objectOf(fixture['match']);
    const prompt = stringOf(match['userMessage']) ?? stringOf(match['inputText']);
    if (prompt === undefined) continue;
    const step = stepOf(objectOf(fixture['response']), index);
    turns.push({ conversation: `c${turns.length + 1}`, prompt, steps: withResults([step], fixtures) });
  }
  return { format: 'aimock', turns };
}

/** The answers to the results of tools, which other fixtures give. */
function withResults(steps: ImportedStep[], fixtures: readonly Record<string, unknown>[]): ImportedStep[] {
  const ids = steps.at(-1)?.tools.map(({ id }) => id) ?? [];
  const at = fixtures.findIndex((fixture) => ids.includes(stringOf(objectOf(fixture['match'])['toolCallId']) ?? ''));
  const next = fixtures[at];
  if (next === undefined) return steps;
  const others = fixtures.filter((_, index) => index !== at);
  return withResults([...steps, stepOf(objectOf(next['response']), at)], others);
}

function stepOf(response: Record<string, unknown>, number: number): ImportedStep {
  const error = response['error'];
  if (isObject(error)) {
    const status = Number(response['status'] ?? 500);
    return { text: '', tools: [], failure: { status, message: stringOf(error['message']) ?? 'error' } };
  }
  const tools = objectsIn(response['toolCalls']).map((call, index) => ({
    id: stringOf(call['id']) ?? `call_${number}_${index}`,
    name: stringOf(call['name']) ?? '',
    input: typeof call['arguments'] === 'string' ? parseObject(call['arguments']) : objectOf(call['arguments']),
  }));
  return { text: stringOf(response['content']) ?? '', tools };
}
