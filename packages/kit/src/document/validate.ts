import * as z from 'zod/mini';
import { editDistance, nearestWord } from './nearest.js';
import type { Path } from './path.js';
import type { UnlocatedProblem } from './problems.js';

/** The result of a validation: the typed value, or all problems. */
export type Validation<T> = { value: T; findings: [] } | { value?: undefined; findings: UnlocatedProblem[] };

type Issue = z.core.$ZodIssue & { known?: string[]; received?: unknown; types?: string[] };

/** Validates a value with a schema. The messages are our own and suggest the nearest known name. */
export function validate<S extends z.core.$ZodType>(schema: S, value: unknown): Validation<z.output<S>> {
  const result = z.safeParse(schema, value, { error: addContext });
  if (result.success) return { value: result.data, findings: [] };
  return { findings: result.error.issues.flatMap((issue) => explain(issue as Issue, [], value)) };
}

/**
 * zod removes the schema and the value from a final issue, but keeps fields that were added before. So this adds
 * what our messages need.
 */
function addContext(issue: z.core.$ZodRawIssue): undefined {
  const noted = issue as unknown as Issue & { inst?: { _zod: { def: Keyed } }; input?: unknown };
  if (issue.code === 'unrecognized_keys' || issue.code === 'invalid_type') noted.known = fieldsOf(noted.inst?._zod.def);
  if (issue.code === 'invalid_type') noted.types = typesOf(noted.inst?._zod.def);
  noted.received = noted.input;
}

/** What says which fields there are: an object by its shape, a record by the type of its keys. */
interface Keyed {
  shape?: z.core.$ZodShape;
  keyType?: z.core.$ZodType;
  /** Tables that a field of theirs distinguishes. */
  discriminator?: string;
  options?: readonly z.core.$ZodType[];
}

function fieldsOf({ shape, keyType }: Keyed = {}): string[] {
  if (shape === undefined) return [...(keyType?._zod.values ?? [])].map(String);
  const isRenamed = (field: z.core.$ZodType | undefined) =>
    field instanceof z.core.$ZodOptional && field._zod.def.innerType instanceof z.core.$ZodNever;
  return Object.keys(shape).filter((name) => !isRenamed(shape[name]));
}

/** The types of which a table must have one, such as those of a pattern. */
function typesOf({ discriminator, options = [] }: Keyed = {}): string[] {
  if (discriminator !== 'type') return [];
  return options.flatMap((option) => [...(option._zod.propValues?.['type'] ?? [])].map(String));
}

function explain(issue: Issue, base: Path, document: unknown): UnlocatedProblem[] {
  const path = [...base, ...(issue.path as (string | number)[])];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownField(key, issue.known ?? [], [...path, key], issue.received));
    case 'invalid_union':
      return explainUnion(issue, path, document);
    case 'invalid_type':
      if (issue.expected === 'never') return [renamed(issue.message, path)];
      return [
        issue.received === undefined ? missing(path, issue.expected, document) : wrongType(issue.expected, issue, path),
      ];
    case 'invalid_value':
      return [wrongChoice(issue.values.map(String), issue.received, path)];
    case 'custom':
      return [{ code: 'INVALID_VALUE', message: `${subject(path)} ${refusalOf(issue)}`, path }];
    default:
      return [{ code: 'INVALID_VALUE', message: `${subject(path)} ${constraint(issue)}`, path }];
  }
}

function explainUnion(issue: Issue & { code: 'invalid_union' }, path: Path, document: unknown): UnlocatedProblem[] {
  const { discriminator, options } = issue as { discriminator?: string; options?: unknown[] };
  if (discriminator !== undefined) {
    const received = hasFields(issue.received) ? issue.received[discriminator] : issue.received;
    const choices = (options ?? []).map(String);
    if (received === undefined) {
      const message = `${subject(path.slice(0, -1))} has no \`${discriminator}\``;
      return [
        { code: 'MISSING_FIELD', message, fix: `Add it, with one of ${list(choices)}.`, path: path.slice(0, -1) },
      ];
    }
    return [wrongChoice(choices, received, path)];
  }
  // The author most likely meant the shape with the type of the value.
  const meant = issue.errors.filter((errors) => !errors.some((e) => e.code === 'invalid_type' && e.path.length === 0));
  const [branch] = meant.sort((a, b) => mistakesIn(a) - mistakesIn(b));
  if (branch !== undefined) return branch.flatMap((nested) => explain(nested as Issue, path, document));
  const expected = issue.errors.flat().flatMap((e) => (e.code === 'invalid_type' ? [kindName(e.expected)] : []));
  return [wrongType([...new Set(expected)].join(' or '), { received: issue.received }, path)];
}

/** How many mistakes an author would have made; each unknown field is one. */
function mistakesIn(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);
}

function unknownField(key: string, known: string[], path: Path, owner: unknown): UnlocatedProblem {
  const near = nearestWord(key, known);
  const isFree = near !== undefined && !(hasFields(owner) && Object.hasOwn(owner, near));
  return {
    code: 'UNKNOWN_FIELD',
    message: `\`${key}\` is not a field here`,
    fix:
      near !== undefined
        ? `Change it to \`${near}\`.`
        : known.length === 0
          ? 'Remove it: there are no fields here.'
          : `Use one of ${list(known)}.`,
    ...(isFree && isSlip(key, near, known) ? { new_name: near } : {}),
    path,
  };
}

/** A slip of one finger: one letter is wrong, missing, one too many or in the place of its neighbor, and no other word is as near. */
function isSlip(key: string, near: string, known: readonly string[]): boolean {
  const isNear = (word: string) => editDistance(key, word) === 1 || isSwapped(key, word);
  return key.length >= 3 && isNear(near) && known.filter(isNear).length === 1;
}

function isSwapped(one: string, other: string): boolean {
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  return one.length === other.length && one.slice(0, at) + one[at + 1] + one[at] + one.slice(at + 2) === other;
}

function renamed(newName: string, path: Path): UnlocatedProblem {
  const field = path.at(-1);
  return {
    code: 'RENAMED_FIELD',
    message: `\`${field}\` has a new name here: \`${newName}\``,
    fix: `Write \`${newName}\` instead of \`${field}\`.`,
    new_name: newName,
    path,
  };
}

/** What a missing field could hold, by its type. */
const EXAMPLES: Record<string, string> = { string: '"…"', number: '1', int: '1', boolean: 'true', array: '[…]' };

function missing(path: Path, expected: string, document: unknown): UnlocatedProblem {
  const field = path.at(-1);
  const owner = path.slice(0, -1);
  return {
    code: 'MISSING_FIELD',
    message: `${subject(owner)}${typeOf(owner, document)} has no \`${field}\``,
    fix: `Add \`${field} = ${String(field).endsWith('_ms') ? '1000' : (EXAMPLES[expected] ?? '…')}\`.`,
    path: path.slice(0, -1),
  };
}

/** What fields something needs depends on its type, so the message names it. */
function typeOf(path: Path, document: unknown): string {
  const owner = path.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown> | undefined)?.[key],
    document,
  );
  const type = hasFields(owner) ? owner['type'] : undefined;
  return typeof type === 'string' ? ` of type "${type}"` : '';
}

function wrongType(
  expected: string,
  { received, known = [], types = [] }: Pick<Issue, 'received' | 'known' | 'types'>,
  path: Path,
): UnlocatedProblem {
  const message = `${subject(path)} must be ${withArticle(kindName(expected))}, not ${withArticle(kindOf(received))}`;
  const fix = fixOfType(kindName(expected), received, known, types);
  return { code: 'WRONG_TYPE', message, ...(fix === undefined ? {} : { fix }), path };
}

/** How the same value is written in the type that is wanted. */
function fixOfType(
  wanted: string,
  received: unknown,
  known: readonly string[],
  types: readonly string[],
): string | undefined {
  const written = JSON.stringify(received);
  const isPlain = ['string', 'number', 'boolean'].includes(typeof received);
  if (typeof received === 'string' && types.includes('contains')) {
    return `Write it as \`{ type = "contains", text = ${written} }\`; \`type\` is one of ${list(types)}.`;
  }
  if (types.length > 0) return `Write a table with \`type\`, one of ${list(types)}.`;
  if (wanted === 'table' && known.length > 0) return `Write a table with some of ${list(known)}.`;
  if (wanted === 'list') return isPlain ? `Write a list: \`[${written}]\`.` : 'Write a list, in brackets.';
  if (wanted === 'string' && isPlain) return `Write it in quotation marks: \`"${String(received)}"\`.`;
  if (wanted === 'true or false') return 'Write true or false, without quotation marks.';
  if (wanted.endsWith('number') && typeof received === 'string') return 'Write a number, without quotation marks.';
  return undefined;
}

function wrongChoice(choices: string[], received: unknown, path: Path): UnlocatedProblem {
  const near = typeof received === 'string' ? nearestWord(received, choices) : undefined;
  return {
    code: 'UNKNOWN_VALUE',
    message: `${subject(path)} cannot be ${JSON.stringify(received) ?? 'missing'}`,
    fix: near === undefined ? `Use one of ${list(choices)}.` : `Change it to "${near}" (one of ${list(choices)}).`,
    path,
  };
}

/** The words of another library's schema, where it is one. */
function refusalOf({ params }: { params?: Record<string, unknown> | undefined }): string {
  return typeof params?.['reason'] === 'string' ? `is refused: ${params['reason']}` : 'has a value that is not allowed';
}

function constraint(issue: Issue): string {
  if (issue.code === 'too_small') {
    return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
  }
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  if (issue.code === 'invalid_format') {
    if (issue.format === 'guid') return 'must be a UUID such as 8c2d6f2a-1f0e-4c55-9a51-2b8f3f4f7d10';
    if (issue.format === 'datetime') return 'must be a time with its zone, such as 2026-01-31T09:00:00Z';
    return `must be a valid ${issue.format}`;
  }
  return 'has a value that is not allowed';
}

const KINDS: Record<string, string> = {
  object: 'table',
  record: 'table',
  array: 'list',
  boolean: 'true or false',
  int: 'whole number',
};

function kindName(expected: string): string {
  return KINDS[expected] ?? expected;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return kindName(Array.isArray(value) ? 'array' : typeof value);
}

function withArticle(kind: string): string {
  return kind === 'true or false' || kind === 'null' ? kind : `a ${kind}`;
}

function subject(path: Path): string {
  const name = path.findLast((part) => typeof part === 'string');
  if (name === undefined) return 'the document';
  const last = path.at(-1);
  return typeof last === 'number' ? `\`${name}[${last}]\`` : `\`${name}\``;
}

function list(words: readonly string[]): string {
  return words.join(', ');
}

function hasFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
