import { type Stamped, stampPart } from '@understudy/kit';
import type { Seen } from './seen.js';

/** A schema of zod, valibot, arktype or another library (standardschema.dev). */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What the value of a field must be: in a word, or by a schema. */
export type Expects = 'boolean' | 'string' | 'number' | 'strings' | StandardSchema;

export type ExpectedOf<E extends Expects> = E extends 'boolean'
  ? boolean
  : E extends 'string'
    ? string
    : E extends 'number'
      ? number
      : E extends 'strings'
        ? readonly string[]
        : E extends StandardSchema<infer Output>
          ? Output
          : never;

/** What a check found: reports show it as they show those of ours. */
export type Judgement =
  | {
      passed: boolean;
      /** What should be, in a sentence. */
      expected: string;
      /** What was seen, in a sentence. */
      seen: string;
      /** Parts of what was seen. */
      evidence?: readonly string[] | undefined;
      /** What to do about it. */
      fix?: string | undefined;
    }
  | {
      /** Why it could not be looked at. That is never a pass. */
      unjudged: string;
      expected: string;
    };

/** One field of `expect.PREFIX`. */
export interface OwnField<E extends Expects = Expects> {
  /** What it means, in a sentence. */
  description: string;
  expects: E;
  /** Looks at what was seen, and waits for nothing. It is called only where the field is given. */
  judge(seen: Seen, expected: ExpectedOf<E>): Judgement;
}

/** A check of a user: what stands in `expect` under a prefix of its own. */
export interface OwnCheck<F extends Readonly<Record<string, Expects>> = Readonly<Record<string, Expects>>>
  extends Stamped {
  readonly fields: { readonly [Name in keyof F]: OwnField<F[Name]> };
}

/** The checks of users, by their prefixes. */
// biome-ignore lint/suspicious/noExplicitAny: what a field takes is known to its own check.
export type OwnChecks = Readonly<Record<string, OwnCheck<any>>>;

/** What can be expected under the prefixes of these. */
export type OwnExpectation<C extends OwnChecks> = {
  readonly [Prefix in keyof C]?: C[Prefix] extends OwnCheck<infer F>
    ? { readonly [Name in keyof F]?: ExpectedOf<F[Name]> }
    : never;
};

/** Defines a check. A module has it as its default export; a rehearsal names it: `checks = { house = "./house.mjs" }`. */
export function defineOwnCheck<const F extends Readonly<Record<string, Expects>>>(check: {
  fields: { readonly [Name in keyof F]: OwnField<F[Name]> };
}): OwnCheck<F> {
  return stampPart('check', check);
}
