import type { PageDetails, PageOverview } from '../../src/reporters/html/page-data.js';

/** Unpacks a block of the page: gzip as base64, so that no text in it can be anything but data. */
async function unpack<T>(id: string): Promise<T> {
  const packed = document.getElementById(id)?.textContent;
  if (packed == null) throw new Error(`this report has no ${id}`);
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text()) as T;
}

export function readOverview(): Promise<PageOverview> {
  return unpack('overview');
}

export function readDetails(index: number): Promise<PageDetails> {
  return unpack(`test-${index}`);
}
