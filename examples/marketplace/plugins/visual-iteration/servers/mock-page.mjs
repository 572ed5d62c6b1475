/** What is open before anything was opened. */
export const blankPage = { url: 'about:blank', title: '', sources: [] };

async function load(url) {
  let response;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(5000) });
  } catch (error) {
    throw new Error(
      `${url} does not answer (${error.cause?.code ?? error.message}). Is the development server running?`,
    );
  }
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.text();
}

/** Fetches a page and its style sheets. Scripts are not run: this is no browser. */
export async function loadPage(address) {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Error(`"${address}" is not an http(s) address`);
  const html = await load(url);
  const sheets = [...html.matchAll(/<link\b[^>]*>/gi)]
    .map(([tag]) => tag)
    .filter((tag) => /\brel=["']?stylesheet/i.test(tag))
    .flatMap((tag) => /\bhref=["']([^"']+)["']/i.exec(tag)?.[1] ?? [])
    .map((href) => new URL(href, url))
    .filter((sheet) => sheet.origin === url.origin);
  const title = /<title>([^<]*)<\/title>/i.exec(html)?.[1]?.trim() ?? '';
  return { url: url.href, title, sources: [html, ...(await Promise.all(sheets.map(load)))] };
}
