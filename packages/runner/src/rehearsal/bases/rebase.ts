import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { isObject } from '@understudy/kit';
import { builtInWorkflows } from '@understudy/stage';

/** A copy of a base whose paths, which are relative to its file, are relative to the rehearsal that extends it. */
export function rebase(value: Record<string, unknown>, base: string, rehearsal: string): Record<string, unknown> {
  const move = (path: unknown): unknown =>
    typeof path !== 'string' || isAbsolute(path) || path.includes('{{')
      ? path
      : relative(dirname(resolve(rehearsal)), resolve(dirname(base), path)) || '.';
  const each = (paths: unknown): unknown => (Array.isArray(paths) ? paths.map(move) : paths);
  const inField = (holder: unknown, name: string, change: (path: unknown) => unknown): unknown =>
    isObject(holder) && Object.hasOwn(holder, name) ? { ...holder, [name]: change(holder[name]) } : holder;
  const { workflow } = value;
  const isFile = typeof workflow === 'string' && !Object.hasOwn(builtInWorkflows, workflow);
  let moved: unknown = withFiles(value, move);
  for (const name of ['scenario', 'cassette', 'each', ...(isFile ? ['workflow'] : [])])
    moved = inField(moved, name, move);
  moved = inField(moved, 'plugins', each);
  moved = inField(moved, 'project', (project) => inField(project, 'path', move));
  moved = inField(moved, 'env', (env) => inField(env, 'PATH', each));
  moved = inField(moved, 'checks', (checks) =>
    isObject(checks)
      ? Object.fromEntries(Object.entries(checks).map(([name, path]) => [name, dotted(String(move(path)))]))
      : checks,
  );
  for (const name of ['steps', 'before', 'after', 'services'])
    moved = inField(moved, name, (programs) =>
      Array.isArray(programs)
        ? programs.map((one) => inField(one, 'env', (env) => inField(env, 'PATH', each)))
        : programs,
    );
  moved = inField(moved, 'mcp', (servers) => {
    if (!isObject(servers)) return servers;
    // As in the rehearsal: only what begins so is a path.
    const word = (text: unknown) =>
      typeof text === 'string' && /^\.\.?\//.test(text) ? dotted(String(move(text))) : text;
    const server = (one: unknown) =>
      inField(inField(one, 'command', word), 'args', (args) => (Array.isArray(args) ? args.map(word) : args));
    return Object.fromEntries(Object.entries(servers).map(([name, one]) => [name, server(one)]));
  });
  return moved as Record<string, unknown>;
}

function dotted(path: string): string {
  return path.startsWith('.') ? path : `./${path}`;
}

/** `{ "$file" = "path" }`, wherever it stands. */
function withFiles(value: unknown, move: (path: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => withFiles(one, move));
  if (!isObject(value)) return value;
  const isFile = Object.keys(value).length === 1 && Object.hasOwn(value, '$file');
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, isFile ? move(one) : withFiles(one, move)]),
  );
}
