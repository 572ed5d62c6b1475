import { createLocator, isObject } from '@understudy/kit';
import { loadRows, readRehearsal } from '../load.js';

/** The name of the row that stands at a line of a rehearsal; undefined where the line is part of all of them. */
export function rowAt(file: string, line: number): string | undefined {
  const source = readRehearsal(file);
  const each = isObject(source.value) ? source.value['each'] : undefined;
  if (source.text === undefined || !Array.isArray(each)) return undefined;
  const locate = createLocator(source);
  const index = each.findIndex((row, number) => {
    const values = isObject(row) ? Object.keys(row) : [];
    const lines = [[], ...values.map((name) => [name])].map((path) => locate(['each', number, ...path])?.line ?? 0);
    return Math.min(...lines) <= line && line <= Math.max(...lines);
  });
  return loadRows(file).find(({ row }) => row?.index === index)?.row?.name;
}
