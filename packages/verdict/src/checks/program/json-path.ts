/** Reads a path into a JSON document: `calls[0].agent`, `["a key"].b`. Undefined if it is not a path. */
export function readJsonPath(path: string): (string | number)[] | undefined {
  const steps: (string | number)[] = [];
  let rest = path;
  while (rest !== '') {
    const match = /^(?:\.?([A-Za-z_$][\w$-]*)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\])/.exec(rest);
    if (match === null || (rest !== path && match[1] !== undefined && !rest.startsWith('.'))) return undefined;
    const [whole, name, index, quoted] = match;
    steps.push(name ?? (index === undefined ? String(JSON.parse(`"${quoted}"`)) : Number(index)));
    rest = rest.slice(whole.length);
  }
  return steps.length === 0 ? undefined : steps;
}

/** The same for a path that was reviewed. */
export function parseJsonPath(path: string): (string | number)[] {
  return readJsonPath(path) ?? [path];
}

/** The value at a path; undefined where there is none. */
export function valueAt(document: unknown, steps: readonly (string | number)[]): unknown {
  let value = document;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}
