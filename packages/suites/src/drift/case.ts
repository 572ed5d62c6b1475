import type { Failure } from '@understudy/script';

/** One message of the model. */
export interface ModelStep {
  thinking?: string;
  say?: string;
  tools?: ScriptedCall[];
  /** A failure of a scenario in place of a message. */
  fail?: Failure;
  delayMs?: number;
  /** How long the model takes beside the real CLI, which does several things at once. The stand-in has an order of its own. */
  lagMs?: number;
  /** What the message costs, unless it is what each one costs. */
  tokens?: { input: number; output: number };
  /** What the subagent says that this message starts. */
  subagent?: ModelStep[];
  /** A part of what it is asked, where that is not the `prompt` of the call. */
  promptPart?: string;
}

export interface ScriptedCall {
  tool: string;
  input: Record<string, unknown>;
  /** What the subagent says that this call starts, where a message starts several. */
  subagent?: ModelStep[];
}

/** What a server answers to a hook of type `http`. */
export interface WebAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | object;
  /** It never answers. */
  never?: true;
}

/** What a host does with a living session. */
export type Talk = { send: unknown } | { until: string } | { wait: number };

/** One command line, given to both programs. */
export interface Run {
  args: string[];
  /** What the model says: a list of messages for each prompt. */
  turns?: ModelStep[][];
  stdin?: string;
  talk?: Talk[];
  /** What the model answers to hooks that ask it, one after the other. */
  hookAnswers?: string[];
  /** What a host answers to a request of the program. An `allow` repeats the input of the request, with its own `updatedInput`; `fails` is an error. */
  hostAnswer?: Record<string, unknown>;
  /** What the host's own hooks answer, by the names that it gave them: one after the other, the last again and again. */
  callbacks?: Record<string, CallbackAnswer[]>;
}

/** An answer, an error, or none at all. */
export type CallbackAnswer = { says: unknown } | { fails: string } | { never: true };

export interface Case extends Run {
  name: string;
  /** Files of the project; those that begin with `HOME/` are the user's. `HOOK_URL` in them is that of the server for hooks. */
  files?: Record<string, string | object>;
  env?: Record<string, string>;
  /** What the server at `HOOK_URL` answers to hooks of type `http`, one after the other. */
  webAnswers?: WebAnswer[];
  /** Earlier processes of the same home, such as the session that is resumed. */
  before?: Run[];
}

export const tool = (name: string, input: Record<string, unknown>): ModelStep => ({ tools: [{ tool: name, input }] });
export const say = (text: string): ModelStep => ({ say: text });
export const fail = (failure: Failure): ModelStep => ({ fail: failure });
export const user = (content: unknown): Talk => ({
  send: { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' },
});
export const control = (id: string, request: Record<string, unknown>): Talk[] => [
  { send: { type: 'control_request', request_id: id, request } },
  { until: 'control_response' },
];

export const STREAM = ['-p', '--output-format', 'stream-json', '--verbose'];
export const LIVING = [...STREAM, '--input-format', 'stream-json'];

/** The file beside the home in which hooks keep their payloads. */
export const PAYLOADS = 'payloads.jsonl';
/** A hook that only keeps its payload, as one line. */
export const RECORD_PAYLOAD = `{ cat | tr -d '\\n'; echo; } >> "$HOME/../${PAYLOADS}"`;
