import type { PageDetails, PageOverview } from '../../packages/verdict/src/reporters/html/page-data.js';

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

const TOKEN = 'understudy-token';
/** Where a stream of changes broke, this long is waited for the next. */
const AGAIN_MS = 3_000;

// It goes out of the address, and stays in this tab.
const [, given] = /^#token=([\w-]+)$/.exec(location.hash) ?? [];
if (IS_LIVE && given !== undefined) {
  sessionStorage.setItem(TOKEN, given);
  history.replaceState(null, '', location.pathname);
}

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
  const end = new AbortController();
  tellChanges(listener, end.signal).catch(() => {});
  return () => end.abort();
}

/** Not an EventSource, which cannot send the token. */
async function tellChanges(listener: () => void, signal: AbortSignal): Promise<void> {
  for (;;) {
    const response = await fetch('/api/changes', { headers: bearer(), signal }).catch(() => undefined);
    if (signal.aborted || response?.ok === false) return;
    const reader = response?.body?.getReader();
    for (let isOver = reader === undefined; !isOver; ) {
      const part = await reader?.read().catch(() => undefined);
      isOver = part === undefined || part.done;
      if (!isOver) listener();
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

function bearer(): Record<string, string> {
  return { authorization: `Bearer ${sessionStorage.getItem(TOKEN) ?? ''}` };
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(
    path,
    body === undefined
      ? { headers: bearer() }
      : { method: 'POST', headers: { ...bearer(), 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );
  if (!response.ok) throw new Error((await response.text()).trim());
  return (await response.json()) as T;
}
