import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codex } from '../../packages/stand-ins/src/codex/main.js';
import type { ScriptedCli } from './scripted-case.js';

type Json = Record<string, unknown>;

/** Lines of Codex's log that say how its surroundings are, not what it did; the stand-in has one, too. */
const SURROUNDINGS = /bubblewrap|the stand-in has no sandbox|failed to record rollout items|^\s*$/;

/** How runs of Codex are compared. */
export const CODEX: ScriptedCli = {
  agent: 'codex',
  standIn: codex,
  sessionId: (stdout) => /"thread_id":"([\w-]+)"/.exec(stdout)?.[1],
  stdout(text) {
    if (!text.startsWith('{"type"')) return text;
    return lines(text).map((line) => JSON.parse(withoutIds(line)) as unknown);
  },
  stderr: (text) => lines(withoutIds(text)).filter((line) => !SURROUNDINGS.test(line)),
  session(home) {
    const folder = join(home, '.codex/sessions');
    if (!existsSync(folder)) return [];
    return (readdirSync(folder, { recursive: true }) as string[])
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => {
        const records = lines(readFileSync(join(folder, name), 'utf8')).map((line) => JSON.parse(line) as Json);
        return { name: withoutIds(name).replace(/\d+/g, '0'), records: records.flatMap(recordOf) };
      })
      .sort((a, b) => Number(isReviewer(a)) - Number(isReviewer(b)));
  },
};

/** The ids of a session and of its reviewer may be of the same moment. */
function isReviewer({ records }: { records: unknown[] }): boolean {
  return typeof (records[0] as Json)['source'] === 'object';
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function withoutIds(text: string): string {
  return text
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>')
    .replace(/\breq_understudy_\d+/g, 'req')
    .replace(/(^|\[2m)\d{4}-\d\d-\d\dT[\d:.]+Z/gm, '$1<time>')
    .replace(/(succeeded|exited \d+) in \d+m?s:/g, '$1 in 0ms:')
    .replace(/Original token count: \d+/g, 'Original token count: 0')
    .replace(/session ID \d+/g, 'session ID 0')
    .replace(/Chunk ID: \w+/g, 'Chunk ID: 0');
}

/** What another program reads in a session: who said what, which tools ran, what it cost. */
function recordOf({ type, payload }: Json): unknown[] {
  const { type: kind, role, content, name, arguments: input, output, item, info, last_agent_message } = payload as Json;
  const what = kind === undefined ? type : `${String(type)}/${String(kind)}`;
  const text = Array.isArray(content) ? (content as Json[]).map((part) => part['text']).join('') : undefined;
  switch (what) {
    case 'session_meta': {
      const { cwd, originator, cli_version, source, model_provider } = payload as Json;
      return [{ what, cwd, originator, cli_version, source, model_provider }];
    }
    case 'turn_context': {
      const { cwd, approval_policy, sandbox_policy, model } = payload as Json;
      return [{ what, cwd, approval_policy, sandbox_policy, model }];
    }
    case 'response_item/message':
      // What Codex itself says in the user's name, and as a developer, is part of its prompt.
      return role === 'developer' || text?.startsWith('<') ? [] : [{ what, role, text }];
    case 'response_item/function_call':
    case 'response_item/custom_tool_call':
      return [{ what, name, input: input ?? (payload as Json)['input'] }];
    case 'response_item/function_call_output':
    case 'response_item/custom_tool_call_output':
      return [
        {
          what,
          output: withoutIds(typeof output === 'string' ? output : JSON.stringify(output)).replace(
            /Wall time: [\d.]+/g,
            'Wall time: 0',
          ),
        },
      ];
    case 'event_msg/item_completed': {
      const { type: of, content: said, status, aggregated_output, exit_code, command } = item as Json;
      return [{ what, of, said, status, aggregated_output, exit_code, command }];
    }
    case 'event_msg/token_count':
      // Of a request that failed it is bookkeeping, which the stand-in does not owe.
      return info === null || hasNoTokens(info as Json) ? [] : [{ what, ...withoutLimits(info as Json) }];
    case 'event_msg/task_complete':
      return [{ what, last_agent_message }];
    case 'event_msg/task_started':
    case 'event_msg/error':
      return [{ what }];
    default:
      return [];
  }
}

const hasNoTokens = ({ last_token_usage }: Json): boolean =>
  (last_token_usage as { input_tokens: number }).input_tokens === 0;

function withoutLimits({ total_token_usage, last_token_usage }: Json): Json {
  return { total_token_usage, last_token_usage };
}
