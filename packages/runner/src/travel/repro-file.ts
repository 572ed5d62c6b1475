import { posix } from 'node:path';
import { stages } from '@understudy/agents';
import {
  field,
  InvalidDocumentError,
  locateProblems,
  type Path,
  readSource,
  required,
  type Source,
  type UnlocatedProblem,
  validate,
} from '@understudy/kit';
import * as z from 'zod/mini';

const text = z.string();
const path = required('The path, from the folder in which all is unpacked.', text);
const executable = field('true: it is a program.', z.literal(true));

/** A file, folder or link, as a person can read it. */
const partSchema = z.union([
  z.strictObject({ path, lines: required('Its text, a line each.', z.array(text)), executable }),
  z.strictObject({ path, base64: required('Its bytes, where it is no text.', z.base64()), executable }),
  z.strictObject({ path, link: required('What the link leads to.', text) }),
  z.strictObject({ path, folder: required('An empty folder.', z.literal(true)) }),
]);

/** One test with everything that it is made of. */
const reproSchema = z.strictObject({
  understudy_repro: required('The version of this format.', z.literal(1)),
  about: required('What this file is, for whoever finds it.', text),
  test: required('The name of the test.', text),
  understudy_version: required('The version of Understudy that played it.', text),
  os: required('The operating system on which it was played.', text),
  node: required('The version of Node with which it was played.', text),
  exported_at: required('When it was exported.', z.iso.datetime()),
  red: required(
    'What was red when it was played.',
    z.array(
      z.strictObject({
        step: field('The step; absent for a check of the whole.', z.int()),
        check: required('The check.', text),
        expected: required('What it expects.', text),
        seen: required('What was seen.', text),
      }),
    ),
  ),
  play: required(
    'How it is played.',
    z.strictObject({
      rehearsal: required('The path of the rehearsal.', text),
      row: field('The row, of a rehearsal with rows.', text),
      document: field('What the module of the rehearsal exported.', z.unknown()),
      agents: required('The agents, with their versions.', z.array(text).check(z.minLength(1))),
      stage: required('The stage.', z.enum(stages)),
    }),
  ),
  left_out: required(
    'What was not taken, and why.',
    z.array(z.strictObject({ path: required('The path.', text), reason: required('Why.', text) })),
  ),
  redacted: required('Files in which secrets were replaced by [secret].', z.array(text)),
  files: required('All files.', z.array(partSchema)),
});

export type Repro = z.infer<typeof reproSchema>;
export type ReproPart = Repro['files'][number];

/** Reads the file of an exported test. It comes from others: a path that leads out of its folder is refused. */
export function readRepro(file: string): Repro {
  const source = readSource(file);
  const { value, findings } = validate(reproSchema, source.value);
  if (value === undefined) throw invalid(source, file, findings);
  const problems = [...pathProblems(value), ...linkProblems(value)];
  if (problems.length > 0) throw invalid(source, file, problems);
  return value;
}

function pathProblems({ files, play }: Repro): UnlocatedProblem[] {
  const kinds = new Map(files.map((part) => [keyOf(part.path), 'folder' in part]));
  const seen = new Set<string>();
  const problems = files.flatMap((part, index) => {
    const at: Path = ['files', index, 'path'];
    const own = keyOf(part.path);
    if (!isPlainPath(part.path)) return [leadsOut(part.path, at)];
    if (seen.has(own)) return [wrong(`${part.path} is there twice`, at)];
    seen.add(own);
    // A file that lies below a link would be written to where the link leads.
    const above = foldersAbove(own).find((folder) => kinds.get(folder) === false);
    return above === undefined ? [] : [wrong(`${part.path} lies below ${above}, which is no folder`, at)];
  });
  const isThere = files.some((part) => part.path === play.rehearsal && !('folder' in part || 'link' in part));
  return isThere ? problems : [...problems, wrong(`there is no file ${play.rehearsal} to play`, ['play', 'rehearsal'])];
}

function linkProblems({ files }: Repro): UnlocatedProblem[] {
  return files.flatMap((part, index) => {
    if (!('link' in part)) return [];
    const { path: own, link } = part;
    // Where `..` stands behind a name, that name could be another link, and then `..` is elsewhere.
    const isPlain = link !== '' && !posix.isAbsolute(link) && !hasOddLetters(link) && posix.normalize(link) === link;
    const aim = posix.join(posix.dirname(own), link);
    if (isPlain && aim !== '..' && !aim.startsWith('../')) return [];
    return [leadsOut(link, ['files', index, 'link'])];
  });
}

/** File systems that do not tell capitals from small letters take two such names for one. */
function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function foldersAbove(name: string): string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** A path on every system that goes down only. */
function isPlainPath(name: string): boolean {
  return !hasOddLetters(name) && name.split('/').every((part) => !['', '.', '..'].includes(part));
}

function hasOddLetters(name: string): boolean {
  return /[\\:\0]/.test(name);
}

function leadsOut(name: string, at: Path): UnlocatedProblem {
  return wrong(`${JSON.stringify(name)} is no plain path inside of the folder`, at);
}

function wrong(message: string, at: Path): UnlocatedProblem {
  return {
    code: 'INVALID_VALUE',
    message,
    fix: 'Do not play it: `understudy report export` writes no such file.',
    path: at,
  };
}

function invalid(source: Source, file: string, problems: readonly UnlocatedProblem[]): InvalidDocumentError {
  return new InvalidDocumentError('REPRO_INVALID', file, locateProblems(source, problems));
}
