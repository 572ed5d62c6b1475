import { callPart, checkStamp, requirePart, UnderstudyError, validate } from '@understudy/kit';
import * as z from 'zod/mini';
import { entryStages, type LoadedSuite, type SuiteEntry, type SuiteFile } from './define.js';

const text = z.string().check(z.minLength(1));

const suiteSchema = z.strictObject({
  understudy: z.string(),
  name: text,
  files: z.optional(text),
  entries: z.union([z.array(z.unknown()), z.function()]),
  escapes: z.optional(z.literal('any')),
  timeoutMs: z.optional(z.int().check(z.minimum(1))),
  play: z.function(),
});

const entriesSchema = z.array(
  z.strictObject({
    name: text,
    description: z.optional(z.string()),
    tags: z.optional(z.array(text)),
    agent: z.optional(z.union([text, z.array(text).check(z.minLength(1))])),
    stage: z.optional(z.enum(entryStages)),
    data: z.optional(z.json()),
  }),
);

const FILES = /^\*(\.[\w.-]*\w)$/;

/** Loads the suite that a module exports. What cannot be used is an error that names it. */
export function loadSuite<Tools>(module: string): LoadedSuite<Tools> {
  const part = checkStamp(requirePart(module, 'suite'), 'suite', module);
  const [problem] = validate(suiteSchema, part).findings;
  if (problem !== undefined)
    throw unusable(module, problem.message, 'Correct it: docs/suites.md says what each field is.');
  const suite = part as LoadedSuite<Tools>;
  if (suite.files !== undefined && endingOf(suite.files) === undefined)
    throw unusable(module, `\`files\` cannot be "${suite.files}"`, 'Write a star and an ending: "*.cases.json".');
  if (suite.files !== undefined && typeof suite.entries !== 'function')
    throw unusable(module, 'it has `files`, and `entries` does not read them', 'Make `entries` a function of a file.');
  if (suite.files === undefined && typeof suite.entries === 'function')
    throw unusable(module, 'it has no `files` that `entries` could read', 'Add `files`, or make `entries` a list.');
  return suite;
}

/** `.cases.json` of `*.cases.json`. That of rehearsals belongs to them. */
export function endingOf(files: string): string | undefined {
  const [, ending] = FILES.exec(files) ?? [];
  return ending === undefined || /\.rehearsal\.\w+$/.test(ending) ? undefined : ending;
}

/** The entries that a suite has, or finds in a file. What is wrong with them is an error that names it. */
export function readEntries<Tools>(suite: LoadedSuite<Tools>, module: string, file?: SuiteFile): SuiteEntry[] {
  const place = file?.path ?? module;
  const given = typeof suite.entries === 'function' ? called(suite.entries, file as SuiteFile, module) : suite.entries;
  const { value, findings } = validate(entriesSchema, given);
  if (value === undefined) {
    const [{ path = [], message = 'it is no list' } = {}] = findings;
    const which = path.length === 0 ? 'its entries' : `entry ${Number(path[0]) + 1} of ${place}`;
    throw unusable(module, `${which}: ${message}`, 'Give a list of { name, tags?, agent?, stage?, data? }.');
  }
  if (value.length === 0) throw unusable(module, `${place} has no entries, so nothing is tested`, 'Add one.');
  const names = value.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    throw unusable(module, `two entries of ${place} have the name "${twice}"`, 'Give each a name of its own.');
  return value;
}

function called<Tools>(
  entries: Extract<LoadedSuite<Tools>['entries'], CallableFunction>,
  file: SuiteFile,
  module: string,
) {
  try {
    return callPart<unknown>(() => entries(file));
  } catch (cause) {
    throw partFailed(
      module,
      `failed in entries() for ${file.path}: ${messageOf(cause)}`,
      'Correct the suite, or the file.',
      cause,
    );
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function partFailed(module: string, what: string, fix: string, cause?: unknown): UnderstudyError {
  return new UnderstudyError('PART_FAILED', `the suite ${module} ${what}`, { fix, location: { file: module }, cause });
}

function unusable(module: string, why: string, fix: string): UnderstudyError {
  return new UnderstudyError('PART_UNUSABLE', `the suite ${module} cannot be used: ${why}`, {
    fix,
    location: { file: module },
  });
}
