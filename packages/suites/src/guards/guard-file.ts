import {
  createLocator,
  field,
  InvalidDocumentError,
  type JsonObject,
  locateProblems,
  readSource,
  required,
  validate,
} from '@understudy/kit';
import * as z from 'zod/mini';
import type { Attempt } from './guard.js';

const attempt = z.union([z.string().check(z.minLength(1)), z.record(z.string(), z.unknown())]);

const guardSchema = z.strictObject({
  name: field(
    'The guard that is meant, by its name in the table; without `name` and `file` it is one of its own.',
    z.string(),
  ),
  file: field('The guard that is meant, by a part of its command, such as the name of its script.', z.string()),
  tool: field('The tool with which it is attacked; without it, attack and twin are prompts.', z.string()),
  attack: required(
    'What must be stopped: the input of the tool (a table), or its command, path or address. Or the prompt.',
    attempt,
  ),
  harmless: field('What must not be stopped, in the same form.', attempt),
});

/** `guard.toml`: attacks for guards of which nothing could be derived, and more of them. */
export const guardFileSchema = z.strictObject({
  $schema: field('The address of the JSON Schema, for editors.', z.string()),
  guard: required('What is tried against the guards of this folder.', z.array(guardSchema).check(z.minLength(1))),
});

/** One `[[guard]]`, with its line. */
export interface WrittenGuard {
  name?: string | undefined;
  file?: string | undefined;
  tool?: string | undefined;
  attack: Attempt;
  harmless?: Attempt;
  line?: number;
}

/** What a `guard.toml` says. Throws with all of its problems. */
export function readGuardFile(file: string): WrittenGuard[] {
  const source = readSource(file);
  const { value, findings } = validate(guardFileSchema, source.value);
  if (value === undefined) throw new InvalidDocumentError('GUARD_INVALID', file, locateProblems(source, findings));
  const locate = createLocator(source);
  return value.guard.map(({ name, file: of, tool, attack, harmless }, index) => {
    const line = locate(['guard', index])?.line;
    return {
      ...{ name, file: of, tool, attack: toAttempt(tool, attack) },
      ...(harmless === undefined ? {} : { harmless: toAttempt(tool, harmless) }),
      ...(line === undefined ? {} : { line }),
    };
  });
}

const FIELD: Readonly<Record<string, string>> = { Bash: 'command', WebFetch: 'url', WebSearch: 'query' };

/** What a text means, by the tool. */
export function toAttempt(tool: string | undefined, given: string | JsonObject): Attempt {
  if (tool === undefined) return { prompt: typeof given === 'string' ? given : JSON.stringify(given) };
  if (typeof given !== 'string') return { tool, input: given };
  const name = FIELD[tool] ?? 'file_path';
  const value = name === 'file_path' && !/^[/~{]/.test(given) ? `{{cwd}}/${given}` : given;
  const more: JsonObject =
    tool === 'Write' ? { content: 'An example.\n' } : tool === 'WebFetch' ? { prompt: 'What is it about?' } : {};
  if (tool === 'Edit') {
    const input = { [name]: value, old_string: 'An example.', new_string: 'An example. And one more.' };
    return { tool, input, ...(given.startsWith('/') ? {} : { edits: given }) };
  }
  return { tool, input: { [name]: value, ...more } };
}
