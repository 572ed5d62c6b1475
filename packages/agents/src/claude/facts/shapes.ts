import { isObject, type JsonObject } from '@understudy/kit';

/** Something in a document that is not as the CLI wants it, in the words of the CLI. */
export interface Wrong {
  /** `author.name`; empty for the whole. */
  path: string;
  message: string;
  /** It is another kind of value, not only a wrong one of the right kind. */
  isOtherKind: boolean;
}

/** Says what is wrong with a value at a place. */
export type Shape = (value: unknown, path: string) => Wrong[];

export type TextRule = [isMet: (text: string) => boolean, complaint: string];

export function text(...rules: TextRule[]): Shape {
  return (value, path) => {
    if (typeof value !== 'string') return otherKind(path, 'string', value);
    return rules.flatMap(([isMet, message]) => (isMet(value) ? [] : [{ path, message, isOtherKind: false }]));
  };
}

export const flag: Shape = (value, path) => (typeof value === 'boolean' ? [] : otherKind(path, 'boolean', value));

export const number: Shape = (value, path) => (typeof value === 'number' ? [] : otherKind(path, 'number', value));

export const positive: Shape = (value, path) => {
  if (typeof value !== 'number') return otherKind(path, 'number', value);
  return value > 0 ? [] : [{ path, message: 'Too small: expected number to be >0', isOtherKind: false }];
};

export const wholeNumber: Shape = (value, path) =>
  typeof value === 'number' && !Number.isInteger(value) ? otherKind(path, 'int', value) : positive(value, path);

export function oneOf(...words: string[]): Shape {
  const message = `Invalid option: expected one of ${words.map((word) => `"${word}"`).join('|')}`;
  return (value, path) => (words.includes(value as string) ? [] : [{ path, message, isOtherKind: true }]);
}

export function list(item: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return otherKind(path, 'array', value);
    return value.flatMap((one, index) => item(one, below(path, String(index))));
  };
}

/** An object whose keys are the user's. */
export function record(item: Shape, isKey: (key: string) => boolean = () => true): Shape {
  return (value, path) => {
    if (!isObject(value)) return otherKind(path, 'record', value);
    return Object.entries(value).flatMap(([key, one]) =>
      isKey(key)
        ? item(one, below(path, key))
        : [{ path: below(path, key), message: 'Invalid key in record', isOtherKind: true }],
    );
  };
}

/** An object with fields. Others that it may have are not looked at. */
export function object(fields: Record<string, Shape>, ...rules: [(value: object) => boolean, string][]): Shape {
  return (value, path) => {
    if (!isObject(value)) return otherKind(path, 'object', value);
    const wrong = Object.entries(fields).flatMap(([key, shape]) => shape(value[key], below(path, key)));
    if (wrong.length > 0) return wrong;
    return rules.flatMap(([isMet, message]) => (isMet(value) ? [] : [{ path, message, isOtherKind: false }]));
  };
}

export function optional(shape: Shape): Shape {
  return (value, path) => (value === undefined ? [] : shape(value, path));
}

/** One of several. The complaint of one is shown where only that one is about the right kind of value. */
export function either(...shapes: Shape[]): Shape {
  return (value, path) => {
    const all = shapes.map((shape) => shape(value, path));
    if (all.some((wrong) => wrong.length === 0)) return [];
    const near = all.filter((wrong) => wrong.every(({ isOtherKind }) => !isOtherKind));
    const [only] = near;
    return only !== undefined && near.length === 1 ? only : [{ path, message: 'Invalid input', isOtherKind: true }];
  };
}

/** What the CLI says of a word that is none of these; of many it names the first six. */
export function expected(words: readonly string[]): string {
  const named = words.slice(0, 6).map((word) => `"${word}"`);
  return `expected one of ${[...named, ...(words.length > 6 ? ['…'] : [])].join(' | ')}`;
}

/** An object of one of several kinds, which a field names. */
export function kindOf(field: string, kinds: Record<string, Shape>, message = expected(Object.keys(kinds))): Shape {
  return (value, path) => {
    const [otherKind] = object({})(value, path);
    if (otherKind !== undefined) return [otherKind];
    const kind = (value as JsonObject)[field];
    const shape = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    return shape?.(value, path) ?? [{ path: `${path}.${field}`, message, isOtherKind: true }];
  };
}

export const anything: Shape = () => [];

export const isUrl: TextRule = [(value) => URL.canParse(value), 'Invalid URL'];

export function kindOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function otherKind(path: string, expected: string, value: unknown): Wrong[] {
  const message = `Invalid input: expected ${expected}, received ${kindOfValue(value)}`;
  return [{ path, message, isOtherKind: true }];
}

function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
