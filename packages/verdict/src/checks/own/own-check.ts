import { callPart, checkStamp, field, requirePart, UnderstudyError, validate } from '@understudy/kit';
import * as z from 'zod/mini';
import { type Check, type ObservedStep, type Place, words } from '../define-check.js';
import { expectations } from '../expectation.js';
import { runExpectationSchema } from '../program/run-expectation.js';
import type { CheckResult } from '../result.js';
import { reviewEmpty } from '../review-expected.js';
import type { Expects, OwnCheck, OwnField, StandardIssue, StandardSchema } from './define.js';
import { judgedAs, judgementSchema } from './judgement.js';
import { seenBy } from './seen.js';

/** A prefix, and the name of a field: as ours are written. */
const NAME = /^[a-z][a-z0-9_]*$/;

/** The check that a module of a user exports, with the prefix that a rehearsal gave it, as one of ours. */
export function loadOwnCheck(prefix: string, module: string): Check {
  refusePrefix(prefix, module);
  return ownCheck(prefix, requirePart(module, 'check'), module);
}

/** A check of a user as one of ours. What is wrong with it is an error that names it, and never a result. */
export function ownCheck(prefix: string, exported: unknown, module: string): Check {
  refusePrefix(prefix, module);
  const { fields } = checked(exported, prefix, module);
  const names = Object.keys(fields);
  const table = z.strictObject(
    Object.fromEntries(
      names.map((name) => [name, field(fields[name]?.description ?? '', schemaOf(fields[name]?.expects, module))]),
    ),
  );
  const given = (expect: object) => (expect as Record<string, Record<string, unknown> | undefined>)[prefix];
  return {
    fields: { [prefix]: field(`What ${module} looks at.`, table) },
    scopes: ['step', 'run'],
    judge: (seen: ObservedStep, expect: object, place: Place) => {
      const asked = given(expect) ?? {};
      return names.flatMap((name) => {
        const own = fields[name];
        if (own === undefined || asked[name] === undefined) return [];
        return place([prefix, name], [judged(own, `${prefix}.${name}`, module, seen, asked[name])]);
      });
    },
    review: (expect: object) => reviewEmpty(prefix, given(expect)),
  };
}

/** What `expect` has already. A snapshot is compared by the one that plays a rehearsal. */
const isOurs = (name: string) =>
  name === 'snapshot' || name in expectations.step.shape || name in runExpectationSchema.shape;

function refusePrefix(prefix: string, module: string): void {
  const [message, fix] = isOurs(prefix)
    ? [`\`${prefix}\` is a check of Understudy`, 'Give yours another prefix.']
    : [`\`${prefix}\` cannot be the prefix of a check`, 'Use small letters, digits and `_`.'];
  if (!isOurs(prefix) && NAME.test(prefix)) return;
  throw new UnderstudyError('PART_UNUSABLE', message, { fix, location: { file: module } });
}

const fieldSchema = z.strictObject({
  description: z.string().check(z.minLength(1)),
  expects: z.union([z.enum(['boolean', 'string', 'number', 'strings']), z.custom<StandardSchema>(isStandard)]),
  judge: z.custom<OwnField['judge']>((value) => typeof value === 'function'),
});

function isStandard(value: unknown): boolean {
  const standard = (value as Partial<StandardSchema> | null)?.['~standard'];
  return standard?.version === 1 && typeof standard.validate === 'function';
}

function checked(exported: unknown, prefix: string, module: string): OwnCheck {
  const { fields } = checkStamp(exported, 'check', module) as { fields?: unknown };
  const refuse = (message: string, fix: string) => {
    throw new UnderstudyError('PART_UNUSABLE', message, { fix, location: { file: module } });
  };
  const entries = Object.entries(fields ?? {});
  if (entries.length === 0) refuse(`${module} has no fields, so nothing can be expected`, 'Add one to `fields`.');
  for (const [name, own] of entries) {
    if (!NAME.test(name)) refuse(`\`${name}\` cannot be a field of ${module}`, 'Use small letters, digits and `_`.');
    const [wrong] = validate(fieldSchema, own).findings;
    if (wrong === undefined) continue;
    const fix =
      'A field has a `description`, what it `expects` ("boolean", "string", "number", "strings", or a schema of zod, valibot …) and a function `judge`.';
    refuse(`\`${prefix}.${name}\` of ${module} cannot be used: ${wrong.message}`, fix);
  }
  return exported as OwnCheck;
}

const PLAIN = { boolean: z.boolean(), string: z.string(), number: z.number(), strings: words };

function schemaOf(expects: Expects | undefined, module: string): z.ZodMiniType {
  return typeof expects === 'string' ? PLAIN[expects] : byStandard(expects as StandardSchema, module);
}

/** The schema of another library: its output is what the check gets, and its words are the message. */
function byStandard(schema: StandardSchema, module: string): z.ZodMiniType {
  return z.pipe(
    z.unknown(),
    z.transform((input, context) => {
      const result = called(() => schema['~standard'].validate(input), `the schema in ${module}`, module);
      if (result.issues === undefined) return result.value;
      for (const { message, path = [] } of result.issues as readonly StandardIssue[]) {
        const keys = path.map((part) => (typeof part === 'object' ? part.key : part));
        context.issues.push({ code: 'custom', message, path: keys, input, params: { reason: message } });
      }
      return z.NEVER;
    }),
  );
}

function judged(own: OwnField, name: string, module: string, seen: ObservedStep, expected: unknown): CheckResult {
  const found = called(() => own.judge(seenBy(seen), expected as never), `the check ${name}`, module);
  const { value: judgement, findings } = validate(judgementSchema, found);
  if (judgement === undefined) {
    const why = findings[0]?.message ?? 'it is no result';
    throw failed(`the check ${name} gave what cannot be shown: ${why}`, module, JUDGEMENT);
  }
  return judgedAs(name, judgement);
}

const JUDGEMENT =
  'Return { passed, expected, seen } with texts, and if you like `evidence` (a list) and `fix`; or { unjudged, expected }.';

/** Calls a function of the module; it answers at once. */
function called<T>(action: () => T, what: string, module: string): Awaited<T> {
  let told: T;
  try {
    told = callPart(action);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw failed(`${what} failed: ${why}`, module, 'Correct the module.', error);
  }
  if (!(told instanceof Promise)) return told as Awaited<T>;
  // What becomes of it is of no interest, not even that it fails.
  told.catch(() => {});
  const fix = 'Answer at once: a check looks at what has happened, and waits for nothing.';
  throw failed(`${what} gave a promise`, module, fix);
}

function failed(message: string, module: string, fix: string, cause?: unknown): UnderstudyError {
  return new UnderstudyError('PART_FAILED', `${message} (${module})`, { fix, location: { file: module }, cause });
}
