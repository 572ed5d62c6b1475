import { defined } from '@understudy/kit';
import * as z from 'zod/mini';
import { checkResultSchema, statusOf } from './result.js';
import { quotedList } from './text-evidence.js';

const partsSchema = z.strictObject({
  type: z.string(),
  scope: z.optional(z.string()),
  breaking: z.boolean(),
  description: z.string(),
});

/** A verdict on a commit message, with its parts when it has them. */
export const conventionalCommitResultSchema = z.extend(checkResultSchema, { parts: z.optional(partsSchema) });
export type ConventionalCommitResult = z.infer<typeof conventionalCommitResultSchema>;

export interface ConventionalCommitOptions {
  /** The types that may be used; the usual ones by default. */
  types?: readonly string[];
  /** The longest first line; not limited by default. */
  longestSubject?: number;
}

export const CONVENTIONAL_TYPES: readonly string[] = [
  ...['feat', 'fix', 'docs', 'style', 'refactor', 'perf', 'test', 'build', 'ci', 'chore', 'revert'],
];

const SUBJECT = /^(?<type>[A-Za-z][\w-]*)(?:\((?<scope>[^()\r\n]*)\))?(?<breaking>!)?:(?<gap> *)(?<description>.*)$/;
const BREAKING_FOOTER = /^BREAKING[ -]CHANGE: \S/m;

/** Is a commit message in the conventional form, `type(scope)!: description`? */
export function checkConventionalCommit(
  message: string,
  options: ConventionalCommitOptions = {},
): ConventionalCommitResult {
  const types = options.types ?? CONVENTIONAL_TYPES;
  const [subject = '', ...rest] = message.replace(/\r\n/g, '\n').trimEnd().split('\n');
  const groups = SUBJECT.exec(subject)?.groups;
  const faults = groups === undefined ? ['the first line does not begin with "type: "'] : subjectFaults(groups, types);
  if (options.longestSubject !== undefined && subject.length > options.longestSubject) {
    faults.push(`the first line has ${subject.length} characters, more than ${options.longestSubject}`);
  }
  if (rest.length > 0 && rest[0] !== '') faults.push('there is no empty line between the first line and the body');
  const passed = faults.length === 0;
  return {
    name: 'conventional-commit',
    category: 'git',
    subject: { kind: 'commit' },
    status: statusOf(passed),
    expected: `"type(scope): description" with a type out of ${quotedList(types)}`,
    actual: passed ? JSON.stringify(subject) : `${JSON.stringify(subject)}: ${faults.join('; ')}`,
    evidence: [`commit: ${subject}`],
    ...(passed
      ? {}
      : { suggestion: 'Write the first line as in "test: cover the empty list", and the body after an empty line.' }),
    ...(groups === undefined ? {} : { parts: partsOf(groups, rest.join('\n')) }),
  };
}

type Groups = Readonly<Record<string, string | undefined>>;

function subjectFaults({ type = '', scope, gap, description = '' }: Groups, types: readonly string[]): string[] {
  const known = types.includes(type);
  const lower = types.includes(type.toLowerCase());
  return [
    ...(known ? [] : [lower ? `the type "${type}" is not in lower case` : `"${type}" is not one of the types`]),
    ...(scope !== undefined && scope.trim() === '' ? ['the scope is empty'] : []),
    ...(description.trim() === ''
      ? ['there is no description']
      : gap === ' '
        ? []
        : ['after the colon there must be one space']),
  ];
}

function partsOf({ type = '', scope, breaking, description = '' }: Groups, body: string): z.infer<typeof partsSchema> {
  return {
    type,
    ...defined({ scope }),
    breaking: breaking !== undefined || BREAKING_FOOTER.test(body),
    description,
  };
}
