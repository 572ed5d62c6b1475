import { isStringList, type JsonObject } from '../../document/json.js';
import type { Hook, HookRun, WebHook } from './hook.js';
import { readOutput } from './output.js';

/** How a server ended that a hook asked: it answered, or nobody did. */
export type WebEnd = { status: number; body: string } | { failure: string };

/** Why the settings keep a hook from asking this address. */
export function webRefusal(url: string, { allowedHttpHookUrls: allowed }: JsonObject): string | undefined {
  if (!isStringList(allowed) || allowed.some((pattern) => covers(pattern, url))) return undefined;
  return `HTTP hook blocked: ${url} does not match any pattern in allowedHttpHookUrls`;
}

/** An asterisk stands for any text. */
function covers(pattern: string, url: string): boolean {
  const escaped = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(url);
}

/** The headers of a request. Only variables that the hook names are filled in, and of these what the settings allow. */
export function fillHeaders(
  { headers = {}, allowedEnvVars = [] }: WebHook,
  env: NodeJS.ProcessEnv,
  { httpHookAllowedEnvVars: allowed }: JsonObject,
): Record<string, string> {
  const isAllowed = (name: string): boolean =>
    allowedEnvVars.includes(name) && (!isStringList(allowed) || allowed.includes(name));
  const fill = (text: string): string =>
    text.replace(/\$\{(\w+)\}|\$(\w+)/g, (_, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? '';
      return isAllowed(name) ? (env[name] ?? '') : '';
    });
  // A value that holds a line break would be more than one header.
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, fill(text).replace(/[\r\n\0]/g, '')]));
}

/** The run of a hook that asked a server. What it says is JSON or nothing. */
export function webRun(hook: Hook, end: WebEnd): HookRun {
  const run = { hook, stdout: '', stderr: '', durationMs: 0 };
  const failed = { outcome: 'error', hasWrongOutput: true } as const;
  if ('failure' in end) return { ...run, ...failed, stderr: end.failure, exitCode: 0, told: { exitCode: undefined } };
  const { status, body } = end;
  if (status < 200 || status > 299)
    return { ...run, ...failed, stderr: `HTTP ${status} from ${urlOf(hook)}`, exitCode: status };
  const { json, problem } = readOutput(hook.event, body);
  const answered = { ...run, stdout: body, exitCode: status };
  if (json !== undefined || body.trim() === '') return { ...answered, outcome: 'success' };
  if (problem?.isFailure) return { ...run, ...failed, stderr: problem.message, exitCode: 1 };
  const stderr = problem?.message ?? `HTTP hook must return JSON, but got non-JSON response body: ${body}`;
  return { ...answered, ...failed, stderr, told: { output: body } };
}

function urlOf({ run }: Hook): string {
  return run.type === 'http' ? run.url : '';
}
