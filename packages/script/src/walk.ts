import type { Path } from '@understudy/kit';
import type { DetailedResponse, Failure, Pattern, Response, ScenarioDocument, TextPattern } from './schema.js';

/** A response of a document, with its path and the pattern whose groups it may use. */
export interface FoundResponse {
  response: DetailedResponse;
  path: Path;
  /** The pattern that leads here. Undefined for the default response. */
  pattern: Pattern | undefined;
}

/** The answer of a rule, of a turn, or the default response. */
export interface FoundAnswer {
  response: Response | undefined;
  failure: Failure | undefined;
  pattern: Pattern | undefined;
  path: Path;
}

/** Every rule and turn of a document, and its default. */
export function* answersOf(document: ScenarioDocument): Generator<FoundAnswer> {
  if (document.default_response !== undefined) {
    yield { response: document.default_response, failure: undefined, pattern: undefined, path: ['default_response'] };
  }
  for (const [index, rule] of (document.responses ?? []).entries()) {
    const path = ['responses', index];
    yield { response: rule.response, failure: rule.failure, pattern: rule.pattern, path };
    for (const [number, turn] of (rule.turns ?? []).entries()) {
      const turnPath = [...path, 'turns', number];
      yield { response: turn.response, failure: turn.failure, pattern: turn.expect, path: turnPath };
    }
  }
}

/** Every response of a document, those inside `then` included. */
export function* responsesOf(document: ScenarioDocument): Generator<FoundResponse> {
  for (const { response, pattern, path } of answersOf(document)) {
    const where = pattern === undefined ? path : [...path, 'response'];
    if (response !== undefined) yield* nested(response, where, pattern);
  }
}

function* nested(response: Response, path: Path, pattern: Pattern | undefined): Generator<FoundResponse> {
  const detailed = typeof response === 'string' ? { text: response } : response;
  yield { response: detailed, path, pattern };
  const { then } = detailed;
  if (then === undefined) return;
  if (!Array.isArray(then)) {
    yield* nested(then, [...path, 'then'], pattern);
    return;
  }
  for (const [index, branch] of then.entries()) {
    yield* nested(branch.response, [...path, 'then', index, 'response'], branch.expect ?? pattern);
  }
}

/** Every pattern of a document, with its path. */
export function* patternsOf(document: ScenarioDocument): Generator<{ pattern: Pattern | TextPattern; path: Path }> {
  for (const [index, rule] of (document.responses ?? []).entries()) {
    const path = ['responses', index];
    yield* withArgs(rule.pattern, [...path, 'pattern']);
    for (const [field, wanted] of Object.entries(rule.when ?? {})) {
      if (typeof wanted === 'object') yield { pattern: wanted, path: [...path, 'when', field] };
    }
    for (const [number, turn] of (rule.turns ?? []).entries()) {
      yield* withArgs(turn.expect, [...path, 'turns', number, 'expect']);
    }
  }
  for (const { response, path } of responsesOf(document)) {
    if (!Array.isArray(response.then)) continue;
    for (const [index, branch] of response.then.entries()) {
      for (const field of ['expect', 'feedback'] as const) {
        const pattern = branch[field];
        if (typeof pattern === 'object') yield { pattern, path: [...path, 'then', index, field] };
      }
    }
  }
}

function* withArgs(pattern: Pattern, path: Path): Generator<{ pattern: Pattern; path: Path }> {
  yield { pattern, path };
  if (pattern.type === 'command' && pattern.args !== undefined)
    yield { pattern: pattern.args, path: [...path, 'args'] };
}
