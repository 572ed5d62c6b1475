import { createHash } from 'node:crypto';

/** What a user of the package can notice, as a tree of texts; the first level are its sections. */
export type Contract = { [name: string]: Contract | string };

/** What differs: where, and what. */
export interface Difference {
  where: string;
  what: string;
}

/** A difference that is meant. `*` in it stands for any text. */
export interface AllowedDifference extends Difference {
  reason: string;
}

const LONGEST = 90;
const SHOWN = 150;
const KINDS = /^(?:removed|added|changed)/;

/** Long texts by their beginning and their digest: what is compared stays small, and still says what it is about. */
export function brief(tree: unknown): Contract | string {
  if (typeof tree !== 'object' || tree === null) {
    const text = typeof tree === 'string' ? tree : JSON.stringify(tree);
    if (text.length <= LONGEST) return text;
    return `${text.slice(0, 60)}… ${createHash('sha256').update(text).digest('hex').slice(0, 10)}`;
  }
  const entries = Array.isArray(tree) ? namedItems(tree) : Object.entries(tree);
  return Object.fromEntries(entries.map(([name, value]) => [name, brief(value)]));
}

/** The items of a list by what they are, so that a new one in the middle is one difference. */
function namedItems(list: readonly unknown[]): [string, unknown][] {
  const seen = new Map<string, number>();
  return list.map((item, at) => {
    const isObject = typeof item === 'object' && item !== null;
    const name = (isObject ? nameOf(item) : String(item)) ?? `item ${at}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return [count === 1 ? name : `${name} (${count})`, isObject ? item : 'yes'];
  });
}

/** A variant of a schema by its constants: `kind=text`. */
function nameOf(item: object): string | undefined {
  if ('name' in item) return String(item.name);
  if (!('properties' in item)) return undefined;
  const constants = Object.entries(item.properties as Record<string, { const?: unknown }>).flatMap(([name, value]) =>
    value.const === undefined ? [] : [`${name}=${String(value.const)}`],
  );
  return constants.join(' ') || undefined;
}

/** All differences, each by the names that lead to it: `help > run > --stage <stage>`. */
export function compare(
  before: Contract | string | undefined,
  after: typeof before,
  path: readonly string[] = [],
): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const where = path.join(' > ');
  if (before === undefined) return [{ where, what: `added: ${cut(shown(after))}` }];
  if (after === undefined) return [{ where, what: `removed: ${cut(shown(before))}` }];
  if (typeof before === 'string' || typeof after === 'string')
    return [{ where, what: `changed: ${changeOf(shown(before), shown(after))}` }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => compare(own(before, name), own(after, name), [...path, name]));
}

function own(tree: Contract, name: string): Contract | string | undefined {
  return Object.hasOwn(tree, name) ? tree[name] : undefined;
}

function shown(value: Contract | string | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** Two long texts from where they are no longer the same. */
function changeOf(before: string, after: string): string {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  const start = before.length + after.length < 2 * SHOWN ? 0 : Math.max(0, same - 40);
  const part = (text: string) => `${start > 0 ? '…' : ''}${cut(text.slice(start))}`;
  return `${part(before)} → ${part(after)}`;
}

function cut(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}

/** What is wrong: differences that nobody allowed, and allowed ones that do not occur or that allow too much. */
export function judge(
  differences: readonly Difference[],
  allowed: readonly AllowedDifference[],
  sections: readonly string[],
): string[] {
  const ofThese = allowed.filter(({ where }) => sections.some((section) => where.startsWith(section)));
  const problems = allowed.flatMap((one) => tooWide(one));
  const found = differences.filter((one) => !ofThese.some((allow) => allows(allow, one)));
  const gone = ofThese.filter((allow) => !differences.some((one) => allows(allow, one)));
  return [
    ...problems,
    ...found.map(({ where, what }) => `${where}\n  ${what}`),
    ...gone.map(({ where, what }) => `listed, but it does not occur: ${where}\n  ${what}`),
  ];
}

function tooWide({ where, what, reason }: AllowedDifference): string[] {
  // A section and a star would allow all of it.
  const named = where
    .split(' > ')
    .slice(1)
    .join('')
    .replace(/[^A-Za-z0-9]/g, '');
  const isWide = where.startsWith('*') || named.length < 2;
  return [
    ...(isWide ? [`differences.json: "${where}" allows too much: name what is below the section`] : []),
    ...(KINDS.test(what) ? [] : [`differences.json: "${what}" of "${where}" begins with removed, added or changed`]),
    ...(reason.trim().split(' ').length < 3 ? [`differences.json: "${where}" has no reason`] : []),
  ];
}

/** `what` may be the beginning: `removed` allows whatever was there. */
function allows(allow: Difference, { where, what }: Difference): boolean {
  return matches(allow.where, where) && (matches(allow.what, what) || what.startsWith(`${allow.what}:`));
}

function matches(pattern: string, text: string): boolean {
  const source = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${source.join('.*')}$`, 's').test(text);
}
