import { defined } from '@understudy/kit';
import { objectOf, objectsIn, stringOf } from '../../server/wire/json.js';
import { readAnswer } from '../read-answer.js';
import { addResult, type Imported, type ImportedStep, type ImportedTurn } from './formats.js';

type Line = Record<string, unknown>;

/** What the model said or called, as its API has it. */
const ANSWERS = ['message', 'function_call', 'custom_tool_call'];
const RESULTS = ['function_call_output', 'custom_tool_call_output'];

/** A rollout of Codex, as it lies under `sessions/`: items of the API, and between them what happened. */
export function readCodex(lines: readonly Line[]): Imported | undefined {
  const meta = lines.find(({ type }) => type === 'session_meta');
  if (meta === undefined) return undefined;
  const head = objectOf(meta['payload']);
  const turns: ImportedTurn[] = [];
  let model: string | undefined;
  /** The items of an answer that is not over. */
  let open: Line[] = [];
  const close = () => {
    if (open.length > 0) turns.at(-1)?.steps.push(stepOf(open));
    open = [];
  };
  for (const { type, payload } of lines) {
    const item = objectOf(payload);
    if (type === 'turn_context') model ??= stringOf(item['model']);
    const prompt = type === 'event_msg' ? promptIn(item) : undefined;
    if (prompt !== undefined) {
      close();
      turns.push({ conversation: 'c1', prompt, steps: [] });
    }
    if (type !== 'response_item') continue;
    if (ANSWERS.includes(String(item['type'])) && (item['role'] ?? 'assistant') === 'assistant') open.push(item);
    if (!RESULTS.includes(String(item['type']))) continue;
    close();
    const result = resultText(item['output']);
    // A command that failed is a result like others; only its text says so.
    const failed = /^(?:Process exited with code|Exit code:) (?!0\b)/m.test(result);
    addResult(turns.at(-1), stringOf(item['call_id']), { result, failed });
  }
  close();
  return {
    ...{ format: 'codex', agent: 'codex', turns: turns.filter(({ steps }) => steps.length > 0) },
    ...defined({
      model,
      version: stringOf(head['cli_version']),
      cwd: stringOf(head['cwd']),
      recordedAt: stringOf(head['timestamp']),
    }),
  };
}

/** What the user said. The items have the texts that Codex adds, too. */
function promptIn(event: Line): string | undefined {
  if (event['type'] === 'user_message') return stringOf(event['message']);
  const item = objectOf(event['item']);
  if (event['type'] !== 'item_completed' || item['type'] !== 'UserMessage') return undefined;
  return objectsIn(item['content'])
    .flatMap((part) => stringOf(part['text']) ?? [])
    .join('\n');
}

function stepOf(items: readonly Line[]): ImportedStep {
  const events = items.map((item) => ({ at: 0, data: { type: 'response.output_item.done', item } }));
  const answer = { status: 200, headers: {}, after: 0, form: 'stream' as const, events };
  const { text, tools } = readAnswer('openai-responses', answer);
  return { text, tools };
}

function resultText(output: unknown): string {
  if (typeof output === 'string') return output;
  const parts = Array.isArray(output) ? objectsIn(output) : objectsIn(objectOf(output)['content']);
  return parts.map((part) => stringOf(part['text']) ?? '').join('\n');
}
