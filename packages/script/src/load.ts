import type { UnlocatedProblem } from '@understudy/kit';
import {
  defined,
  InvalidDocumentError,
  isObject,
  locateProblems,
  type Problem,
  readSource,
  refuseNewerFormat,
  type Source,
  validate,
} from '@understudy/kit';
import type * as z from 'zod/mini';
import { resolveFileReferences, withFileTexts } from './file-reference.js';
import { migrateConversations, migrateNames } from './migration.js';
import { reviewScenario } from './review.js';
import type { Rule } from './schema.js';
import { type ScenarioDocument, type ScenarioInput, scenarioSchema } from './schema.js';
import { responsesOf } from './walk.js';

/** A scenario that can be played. */
export interface Scenario {
  document: ScenarioDocument;
  /** The file that it came from. */
  file?: string;
  /** Warnings: allowed, but probably a mistake. */
  readonly warnings: Problem[];
}

/** Loads a scenario from a .toml or .json file. Throws with all of its problems. */
export function loadScenario(file: string): Scenario {
  return toScenario(readSource(file));
}

/** Makes a scenario from an object in a program. Throws with all of its problems. */
export function defineScenario(document: ScenarioInput, { file }: { file?: string } = {}): Scenario {
  return toScenario({ value: structuredClone(document), ...defined({ file }) });
}

/** Makes a scenario from a parsed document. Throws `InvalidDocumentError` with all of its problems. */
export function toScenario(source: Source): Scenario {
  const { document, warnings } = readScript(source, scenarioSchema);
  return {
    document,
    ...defined({ file: source.file }),
    // Lines need a second parser, so they are found only when warnings are read.
    get warnings() {
      return locateProblems(source, warnings);
    },
  };
}

/**
 * Reads a scenario, or a document that extends one (a rehearsal). `schema` extends the scenario's schema, and
 * `review` finds problems in the additional fields; those that are `found` already are reported whatever else is wrong.
 */
export function readScript<Document extends ScenarioDocument>(
  source: Source,
  schema: z.core.$ZodType<Document>,
  review: (document: Document) => UnlocatedProblem[] = () => [],
  found: readonly UnlocatedProblem[] = [],
): { document: Document; warnings: UnlocatedProblem[] } {
  refuseNewerFormat(source);
  const unread: UnlocatedProblem[] = [];
  const read = withFileTexts(source.value, source.file, unread);
  const { value, old } = withoutConversations(withPatterns(migrateNames(read)));
  const validation = validate(schema, value);
  // Invalid fields are replaced by valid ones, so that the review can report further problems at the same time.
  const document = validation.value ?? validate(schema, withPlaceholders(value, validation.findings)).value;
  const findings = [...found, ...unread, ...old, ...validation.findings];
  if (document === undefined) throw invalid(source, findings);
  const { errors, warnings } = reviewScenario(document);
  findings.push(...errors, ...review(document), ...resolveFiles(document, source.file));
  if (findings.length > 0) throw invalid(source, findings);
  return { document, warnings };
}

function invalid(source: Source, findings: readonly UnlocatedProblem[]): InvalidDocumentError {
  return new InvalidDocumentError('SCENARIO_INVALID', source.file ?? 'the scenario', locateProblems(source, findings));
}

/** A rule with `when` and no pattern is for every prompt that the conditions let through. */
function withPatterns(value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value['responses'])) return value;
  const responses = value['responses'].map((rule) =>
    isObject(rule) && rule['when'] !== undefined && rule['pattern'] === undefined
      ? { ...rule, pattern: { type: 'any' } }
      : rule,
  );
  return { ...value, responses };
}

function withoutConversations(value: unknown): { value: unknown; old: UnlocatedProblem[] } {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'conversations')) return { value, old: [] };
  const { conversations, ...rest } = value as Record<string, unknown>;
  return { value: rest, old: migrateConversations(conversations) };
}

function resolveFiles(document: ScenarioDocument, file: string | undefined): UnlocatedProblem[] {
  const findings: UnlocatedProblem[] = [];
  for (const { response, path } of responsesOf(document)) {
    const calls = [
      ...(response.tool_calls ?? []).map((call, i) => ({ call, at: [...path, 'tool_calls', i, 'input'] })),
      ...(response.blocks ?? []).flatMap((call, i) =>
        call.type === 'tool_use' ? [{ call, at: [...path, 'blocks', i, 'input'] }] : [],
      ),
    ];
    for (const { call, at } of calls) {
      if (call.input !== undefined)
        call.input = resolveFileReferences(call.input, at, file, findings) as Record<string, unknown>;
    }
  }
  return findings;
}

const ANY_RULE: Rule = { pattern: { type: 'any' }, response: '…' };

/**
 * A copy of the document in which every field with a problem is replaced by a valid one, or removed. The rest can
 * then be reviewed for other mistakes.
 */
function withPlaceholders(document: unknown, findings: readonly UnlocatedProblem[]): unknown {
  if (!isObject(document)) return {};
  const repaired = structuredClone(document);
  for (const { path } of findings) {
    const [top, index, field] = path;
    const rules = repaired.responses;
    if (top === 'responses' && Array.isArray(rules) && typeof index === 'number') {
      const rule: unknown = rules[index];
      if (isObject(rule) && typeof field === 'string') repairField(rule, field);
      else rules[index] = { ...ANY_RULE };
    } else if (top !== undefined) delete repaired[top];
  }
  return repaired;
}

function repairField(rule: Record<string, unknown>, field: string): void {
  if (field === 'pattern' || field === 'response') rule[field] = ANY_RULE[field];
  else delete rule[field];
  if (field === 'failure') rule.response ??= ANY_RULE.response;
}
