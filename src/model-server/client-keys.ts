import type { IncomingMessage } from 'node:http';
import { bearerOf } from '../http/request-guard.js';

/** The keys that a request brings, wherever its protocol puts them: three headers, or Gemini's `?key=`. */
export function clientKeys({ headers, url = '' }: IncomingMessage): string[] {
  const named = [headers['x-api-key'], headers['x-goog-api-key']].filter((key) => typeof key === 'string');
  const query = url.indexOf('?');
  const inUrl = query === -1 ? [] : new URLSearchParams(url.slice(query)).getAll('key');
  return [...named, ...bearerOf(headers), ...inUrl];
}
