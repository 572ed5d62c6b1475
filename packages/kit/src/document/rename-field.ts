import type { SourceLocation } from '../errors.js';

/**
 * A document with another name for the field at a place, and nothing else changed; undefined where the field does not
 * stand there. `path` is its address, by which it is found in the header of a TOML table.
 */
export function renameField(
  text: string,
  { line = 0, column = 1 }: Pick<SourceLocation, 'line' | 'column'>,
  path: string,
  newName: string,
): string | undefined {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const starts = [mark, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const start = starts[line - 1];
  if (start === undefined) return undefined;
  const rest = text.slice(start).split('\n', 1)[0] ?? '';
  const names = path.match(/[^.[\]]+|\[\d+\]/g)?.filter((part) => !part.startsWith('[')) ?? [];
  const old = names.at(-1) ?? '';
  const place = rest.trimStart().startsWith('[') ? inHeader(rest, names.length, old) : at(rest, column - 1, old);
  if (place === undefined) return undefined;
  return text.slice(0, start + place) + newName + text.slice(start + place + old.length);
}

/** The field at a column, with or without quotation marks. */
function at(line: string, column: number, name: string): number | undefined {
  const quoted = /^["']/.test(line.slice(column)) ? 1 : 0;
  const isWhole = !/^[\w-]/.test(line.slice(column + quoted + name.length));
  return line.startsWith(name, column + quoted) && isWhole ? column + quoted : undefined;
}

/** The part of `[steps.expect.stage]` with this number, from 1. */
function inHeader(line: string, number: number, name: string): number | undefined {
  const header = /^\s*\[+/.exec(line)?.[0].length ?? 0;
  const parts = [
    ...line
      .slice(header)
      .split(']', 1)
      .join('')
      .matchAll(/"[^"]*"|'[^']*'|[\w-]+/g),
  ];
  const part = parts[number - 1];
  return part === undefined ? undefined : at(line, header + part.index, name);
}
