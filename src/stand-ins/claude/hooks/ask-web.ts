import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as requestSafely } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import type { Hook, HookInput, HookRun, WebHook } from '../../../claude-code/hooks/hook.js';
import { fillHeaders, webRefusal, webRun } from '../../../claude-code/hooks/web.js';
import type { JsonObject } from '../../../document/json.js';
import type { Session } from '../session/session.js';

/** Runs a hook that posts its payload to a server: the answer is what it says. */
export async function askWeb(
  session: Session,
  hook: Hook,
  web: WebHook,
  input: HookInput,
  signal: AbortSignal,
): Promise<HookRun> {
  const { env, settings } = session.parts;
  const refusal = webRefusal(web.url, settings);
  if (refusal !== undefined) return webRun(hook, { failure: refusal });
  try {
    const headers = fillHeaders(web, env, settings);
    return webRun(hook, await post(web.url, headers, JSON.stringify(input), signal));
  } catch (error) {
    if (signal.aborted) throw error;
    return webRun(hook, { failure: reasonOf(error as NodeJS.ErrnoException, web.url) });
  }
}

interface WebAnswer {
  status: number;
  body: string;
}

async function post(url: string, headers: JsonObject, body: string, signal: AbortSignal): Promise<WebAnswer> {
  const ask = url.startsWith('https:') ? requestSafely : request;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const own = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    const options = { method: 'POST', headers: { ...own, ...headers } as Record<string, string>, signal };
    const asked: ClientRequest = ask(url, options, resolve);
    asked.once('error', reject);
    asked.end(body);
  });
  return { status: answer.statusCode ?? 0, body: await readText(answer) };
}

/** `connect ECONNREFUSED 127.0.0.1:9`, whichever engine tells it. */
function reasonOf({ code, message }: NodeJS.ErrnoException, url: string): string {
  if (code !== 'ECONNREFUSED') return message;
  const { hostname, port, protocol } = new URL(url);
  return `connect ${code} ${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
}
