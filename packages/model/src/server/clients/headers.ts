import type { IncomingHttpHeaders } from 'node:http';

/** A header's value; of several the first. */
export function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  const first = Array.isArray(value) ? value[0] : value;
  return first === '' ? undefined : first;
}
