import { isObject } from '@understudy/kit';
import { objectOf, objectsIn, stringOf } from '../../server/wire/json.js';
import { addResult, type Imported, type ImportedStep, type ImportedTurn } from './formats.js';

/** A transcript of Claude Code, as it lies under `projects/`: one message on each line, an answer on several. */
export function readClaudeCode(lines: readonly Record<string, unknown>[]): Imported | undefined {
  const messages = lines.filter(({ type, message }) => (type === 'user' || type === 'assistant') && isObject(message));
  const first = messages[0];
  if (first === undefined || typeof first['sessionId'] !== 'string') return undefined;
  const turns: ImportedTurn[] = [];
  let model: string | undefined;
  let answer: string | undefined;
  for (const line of messages) {
    // What subagents say is a conversation of its own, which the transcript does not have as a whole.
    if (line['isSidechain'] === true) continue;
    const message = objectOf(line['message']);
    const turn = turns.at(-1);
    if (line['type'] === 'user') {
      if (!addResults(message, turn) && line['isMeta'] !== true) {
        const prompt = promptOf(message);
        if (prompt !== undefined) turns.push({ conversation: 'c1', prompt, steps: [] });
      }
      answer = undefined;
      continue;
    }
    if (turn === undefined || message['model'] === '<synthetic>') continue;
    model ??= stringOf(message['model']);
    const id = stringOf(message['id']);
    // Each block of an answer has a line of its own.
    if (id === undefined || id !== answer) turn.steps.push({ text: '', tools: [] });
    answer = id;
    addBlocks(message, turn.steps.at(-1));
  }
  return {
    ...{ format: 'claude-code', agent: 'claude', turns: turns.filter(({ steps }) => steps.length > 0) },
    ...optional('version', stringOf(first['version'])),
    ...optional('model', model),
    ...optional('cwd', stringOf(first['cwd'])),
    ...optional('recordedAt', stringOf(first['timestamp'])),
  };
}

function optional<K extends string>(name: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, string>);
}

/** What the CLI did itself is no prompt. */
const OWN = /^\s*<(?:local-command-|bash-(?:input|stdout|stderr))|^\s*\[Request interrupted/;

function promptOf({ content }: Record<string, unknown>): string | undefined {
  const texts =
    typeof content === 'string' ? [content] : objectsIn(content).flatMap((block) => stringOf(block['text']) ?? []);
  const text = texts.join('\n').trim();
  return text === '' || OWN.test(text) ? undefined : text;
}

/** Puts results to the calls that they belong to. False if there are none. */
function addResults({ content }: Record<string, unknown>, turn: ImportedTurn | undefined): boolean {
  const results = objectsIn(content).filter((block) => block['type'] === 'tool_result');
  for (const result of results) {
    const { content: inner, is_error: failed } = result;
    const texts = objectsIn(inner).map((block) => stringOf(block['text']) ?? '');
    addResult(turn, stringOf(result['tool_use_id']), {
      result: typeof inner === 'string' ? inner : texts.join('\n'),
      failed: failed === true,
    });
  }
  return results.length > 0;
}

function addBlocks({ content }: Record<string, unknown>, step: ImportedStep | undefined): void {
  for (const block of objectsIn(content)) {
    if (step === undefined) return;
    if (block['type'] === 'text') step.text += stringOf(block['text']) ?? '';
    if (block['type'] === 'tool_use')
      step.tools.push({
        id: stringOf(block['id']) ?? '',
        name: stringOf(block['name']) ?? '',
        input: objectOf(block['input']),
      });
  }
}
