import type { PageDetails, PageOverview } from '../../src/reporters/html/page-data.js';

/** Unpacks a block of the page: gzip as base64, so that no text in it can be anything but data. */
async function unpack<T>(id: string): Promise<T> {
  const packed = document.getElementById(id)?.textContent;
  if (packed == null) throw new Error(`this report has no ${id}`);
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text()) as T;
}

/** Whether this page comes from `understudy ui`, and tests can be run from it. */
export const IS_LIVE = document.getElementById('live') !== null;

export function readOverview(): Promise<PageOverview> {
  return IS_LIVE ? ask('/api/overview') : unpack('overview');
}

export function readDetails(index: number): Promise<PageDetails> {
  return IS_LIVE ? ask(`/api/test?index=${index}`) : unpack(`test-${index}`);
}

/** Runs tests: all, what failed, or some by their ids. */
export async function runTests(run: 'all' | 'failed' | readonly string[]): Promise<void> {
  await ask('/api/run', { run });
}

export async function stopTests(): Promise<void> {
  await ask('/api/stop', {});
}

/** Calls whenever there is something new. Gives a function that ends it. */
export function onChange(listener: () => void): () => void {
  if (!IS_LIVE) return () => {};
  const changes = new EventSource('/api/changes');
  changes.onmessage = listener;
  return () => changes.close();
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(
    path,
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );
  if (!response.ok) throw new Error((await response.text()).trim());
  return (await response.json()) as T;
}
