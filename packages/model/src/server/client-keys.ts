import type { IncomingMessage } from 'node:http';
import { bearerOf } from '@understudy/kit';

/** For clients that bring the key of somebody else: `/key/KEY/v1/…`. */
const KEY_IN_PATH = /^\/key\/([^/?]+)/;

/** A path without our key in it. */
export function withoutPathKey(url: string): string {
  return url.replace(KEY_IN_PATH, '');
}

/** The keys that a request brings, wherever its protocol puts them: three headers, Gemini's `?key=`, or the path. */
export function clientKeys({ headers, url = '' }: IncomingMessage): string[] {
  const named = [headers['x-api-key'], headers['x-goog-api-key']].filter((key) => typeof key === 'string');
  const query = url.indexOf('?');
  const inUrl = query === -1 ? [] : new URLSearchParams(url.slice(query)).getAll('key');
  const [, inPath] = KEY_IN_PATH.exec(url) ?? [];
  return [...named, ...bearerOf(headers), ...inUrl, ...(inPath === undefined ? [] : [inPath])];
}

/** The step and the call that a key names: the recorder of calls adds them to the key of the server. */
export interface CallTag {
  step: number;
  /** Absent for a program that asks the model itself. */
  call?: number;
}

const TAG = /\.(\d+)\.(\d+)$/;

/** A key without its tag. */
export function untaggedKey(key: string): string {
  return key.replace(TAG, '');
}

/** The key for the requests of a step, or of one of its calls. */
export function taggedKey(key: string, { step, call = 0 }: CallTag): string {
  return `${key}.${step}.${call}`;
}

/** What the key of a request says about the call that it comes from. */
export function tagOf(request: IncomingMessage): CallTag | undefined {
  for (const key of clientKeys(request)) {
    const [, step, call] = TAG.exec(key) ?? [];
    if (step !== undefined) return { step: Number(step), ...(call === '0' ? {} : { call: Number(call) }) };
  }
  return undefined;
}
