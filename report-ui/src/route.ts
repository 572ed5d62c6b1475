import { useEffect, useState } from 'preact/hooks';

/** Where the reader is. It is all in the address, so that every view can be linked to. */
export interface Route {
  /** The test that is open. */
  test?: string;
  /** The item of its timeline. */
  item?: number;
  search: string;
  status: string;
}

export function readRoute(hash: string): Route {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const item = Number(fields.get('item') ?? Number.NaN);
  const test = fields.get('test');
  return {
    ...(test === null ? {} : { test }),
    ...(Number.isInteger(item) ? { item } : {}),
    search: fields.get('q') ?? '',
    status: fields.get('status') ?? '',
  };
}

export function linkTo({ test, item, search, status }: Partial<Route>): string {
  const fields = new URLSearchParams();
  if (test !== undefined) fields.set('test', test);
  if (item !== undefined) fields.set('item', String(item));
  if (search) fields.set('q', search);
  if (status) fields.set('status', status);
  return `#${fields.toString()}`;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const onChange = () => setRoute(readRoute(location.hash));
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return route;
}

/** Changes the address without a new entry in the history. */
export function replaceRoute(route: Partial<Route>): void {
  history.replaceState(null, '', linkTo(route));
  dispatchEvent(new HashChangeEvent('hashchange'));
}
