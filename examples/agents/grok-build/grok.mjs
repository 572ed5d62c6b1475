// Grok Build, xAI's coding agent, as an agent of Understudy: `understudy agents add grok`, then `understudy run`.
import { defineAgent } from 'agent-understudy';

/** Reads `grok --output-format streaming-json`. */
class GrokReader {
  sessionId;
  #tools = new Map();
  #error;
  #end;

  read(line) {
    const event = parsed(line);
    switch (event.type) {
      case 'text':
        return [{ type: 'text', text: event.data }];
      case 'thought':
        return [{ type: 'thinking', text: event.data }];
      case 'tool_call': {
        const { toolCallId: id, toolName: tool, rawInput: input } = event;
        this.#tools.set(id, tool);
        return [{ type: 'tool_call', id, tool, input: input ?? {} }];
      }
      case 'tool_call_update':
        return this.#result(event);
      case 'error':
        this.#error = event.message;
        return [{ type: 'notice', level: 'error', text: event.message }];
      case 'end':
        this.#end = event;
        this.sessionId = event.sessionId;
        return [];
      case 'available_commands':
      case 'usage':
        return [];
      default:
        return [{ type: 'unknown', kind: event.type ?? 'text on stdout', data: event }];
    }
  }

  verdict({ code }, stderr) {
    if (this.#error !== undefined) return { outcome: 'failed', reason: 'api_error', message: this.#error };
    if (this.#end?.stopReason !== 'end_turn') {
      const how = this.#end === undefined ? `exit code ${code}` : this.#end.stopReason;
      return { outcome: 'failed', reason: 'no_answer', message: `Grok ended with ${how} ${stderr.trim()}`.trim() };
    }
    const { input_tokens: inputTokens, output_tokens: outputTokens } = this.#end.usage;
    return { outcome: 'completed', usage: { inputTokens, outputTokens } };
  }

  /** A call is told several times; the last one has its status. */
  #result({ toolCallId: id, status, content, rawOutput }) {
    if (status !== 'completed' && status !== 'failed') return [];
    const exitCode = rawOutput?.exit_code;
    const text = (content ?? []).map((part) => part.content?.text ?? '').join('\n');
    const ok = status === 'completed' && (exitCode ?? 0) === 0;
    const result = {
      type: 'tool_result',
      id,
      tool: this.#tools.get(id) ?? 'unknown',
      text,
      status: ok ? 'ok' : 'error',
    };
    return [exitCode === undefined ? result : { ...result, exitCode }];
  }
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return { text: line };
  }
}

/** What Grok puts around a prompt; all else in the user's role is its own. */
const PROMPT = /^<user_query>\n?([\s\S]*?)\n?<\/user_query>\s*$/;

// biome-ignore lint/style/noDefaultExport: an agent is the default export.
export default defineAgent({
  name: 'grok',
  npm: {
    package: '@xai-official/grok',
    version: '1.0.41',
    program: '@xai-official/grok/bin/grok-bootstrap.js',
    integrity: {
      '@xai-official/grok':
        'sha512-eRAK7JzMb/sHVfj8VtLJ26LFqVwiI+PPp6lIMxtN/Ys+/AU5XvE20liO2iDitVw4kAlC5iziomgnemGuy/QAPw==',
      '@xai-official/grok-linux-x64':
        'sha512-5KS0AMeGYQh3++0EEZPKVjAcalFQma8K5SKMhBu1k1OVNpA/lO+fRgecS1/kOsLaGaPDPfQm611Z+a5J9dLfAg==',
    },
  },
  arguments: ({ prompt, session, model = 'scripted', args }) => [
    ...['--output-format', 'streaming-json', '--always-approve', '--model', model],
    ...(session === undefined ? [] : ['--resume', session]),
    ...args,
    `--single=${prompt}`,
  ],
  protocol: 'openai-chat',
  model: ({ baseUrl, key, real }) => ({
    env: { GROK_MODEL_KEY: key },
    files: { '.grok/config.toml': config(baseUrl, real ? (process.env.GROK_MODEL ?? 'grok-4.6') : 'scripted') },
  }),
  reader: (words) => (words.includes('streaming-json') ? new GrokReader() : undefined),
  reports: ['tools'],
  homes: ['GROK_HOME'],
  credentials: ['XAI_API_KEY'],
  tools: { tools: { shell: 'run_terminal_command', edit: 'search_replace' }, arguments: { path: 'target_file' } },
  promptOf: (words) => words[words.indexOf('-p') + 1],
  userAgent: /^grok-shell\//,
  unwrap: (text) => PROMPT.exec(text)?.[1],
  ownRequest({ text, tools }) {
    if (tools.includes('session_title')) return 'A scripted session';
    return /^<system-reminder>(Write an ultra-short|Generate a session title)/.test(text) ? 'Scripted.' : undefined;
  },
});

function config(baseUrl, model) {
  const settings = { model, base_url: baseUrl, env_key: 'GROK_MODEL_KEY', name: model, context_window: 200_000 };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return ['[models]', 'default = "scripted"', '[model.scripted]', ...lines, ''].join('\n');
}
