import { editDistance, isObject, type JsonObject } from '@understudy/kit';
import { readNames } from './output.js';

/** They decide nothing alone. */
const IDLE = [
  'suppressOutput',
  'reason',
  'stopReason',
  'permissionDecisionReason',
  'hookEventName',
  'hookSpecificOutput',
];

/**
 * A name in JSON of which the CLI uses nothing: it is almost one that the CLI reads, or one that it reads elsewhere, so a
 * decision is lost without a word. Other names may be for another program.
 */
export function unreadName(event: string, json: JsonObject): string | undefined {
  const { hookSpecificOutput: inner } = json;
  const names = readNames(event);
  const places = [
    { prefix: '', value: json, read: names[''] },
    { prefix: 'hookSpecificOutput.', value: isObject(inner) ? inner : {}, read: names.hookSpecificOutput },
  ];
  const counts = (name: string): boolean => !IDLE.includes(name) && (name !== 'continue' || json[name] === false);
  if (places.some(({ value, read }) => Object.keys(value).some((name) => read.includes(name) && counts(name))))
    return undefined;
  const paths = new Map(places.flatMap(({ prefix, read }) => read.filter(counts).map((name) => [name, prefix + name])));
  for (const { prefix, value, read } of places) {
    for (const name of Object.keys(value).filter((one) => !read.includes(one))) {
      const near = [...paths.keys()].find((known) => editDistance(plain(name), plain(known)) <= 2);
      if (near !== undefined) return `it does not read ${prefix}${name}: did you mean ${paths.get(near)}?`;
    }
  }
  return undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}
