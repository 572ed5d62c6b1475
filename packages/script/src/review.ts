import { isObject, nearestWord, type Path, parseJson, type UnlocatedProblem } from '@understudy/kit';
import { compilePattern, RefusedPattern } from './pattern.js';
import { messagesOf } from './response.js';
import type { DetailedResponse, Pattern, Rule, ScenarioDocument } from './schema.js';
import { TEMPLATE_NAMES, templateReferences } from './template.js';
import { answersOf, type FoundResponse, patternsOf, responsesOf } from './walk.js';

/** Problems that a schema cannot find: errors, and warnings about what is allowed but probably a mistake. */
export interface Review {
  errors: UnlocatedProblem[];
  warnings: UnlocatedProblem[];
}

/** Finds mistakes in a document that fits the schema. */
export function reviewScenario(document: ScenarioDocument): Review {
  const errors: UnlocatedProblem[] = [];
  const warnings: UnlocatedProblem[] = [];
  for (const { pattern, path } of patternsOf(document)) errors.push(...reviewPattern(pattern, path));
  for (const { response, failure, path } of answersOf(document)) {
    if (response === undefined && failure === undefined) errors.push(noAnswer(path));
    if (failure?.times !== undefined && response === undefined) errors.push(noAnswerAfterFailure(path));
  }
  const refused = errors.some((finding) => finding.code === 'PATTERN_REFUSED');
  const failing = new Set(
    [...answersOf(document)].filter((a) => a.failure && !a.failure.times).map((a) => a.path.join()),
  );
  for (const found of responsesOf(document)) {
    errors.push(...reviewShape(found));
    if (!refused) errors.push(...missingGroups(found));
    warnings.push(...unknownPlaceholders(found));
    if (!failing.has(found.path.slice(0, -1).join())) warnings.push(...silentEnd(found));
  }
  for (const [index, rule] of (document.responses ?? []).entries()) {
    if (rule.when?.hook === undefined) continue;
    const path = ['responses', index];
    errors.push(...hookAnswerShape(rule, path));
    warnings.push(...hookVerdict(rule, path));
  }
  errors.push(...reviewFaults(document));
  warnings.push(...unreachableRules(document), ...fieldsWithoutEffect(document));
  if ((document.responses ?? []).length === 0 && document.default_response === undefined) {
    warnings.push({
      code: 'NO_RULES',
      message: 'the scenario has no rule and no `default_response`, so it can answer nothing',
      fix: 'Add `[[responses]]` with a pattern and a response.',
      path: [],
    });
  }
  return { errors, warnings };
}

function reviewPattern(pattern: Pattern, path: Path): UnlocatedProblem[] {
  try {
    // The pattern of a command's arguments is reviewed separately.
    if (pattern.type !== 'command') compilePattern(pattern);
    return [];
  } catch (error) {
    if (!(error instanceof RefusedPattern)) throw error;
    const message = `this regular expression cannot be used: ${error.message}`;
    return [
      { code: 'PATTERN_REFUSED', message, fix: 'Rewrite it, or split it into two rules.', path: [...path, 'pattern'] },
    ];
  }
}

/** A hook asks once, and takes one text. */
function hookAnswerShape({ when, turns, failure, response }: Rule, path: Path): UnlocatedProblem[] {
  const unknown = (['turn', 'call', 'system'] as const).find((condition) => when?.[condition] !== undefined);
  if (unknown !== undefined)
    return [
      {
        code: 'HOOK_ANSWER',
        message: `a hook asks outside of all turns, so nothing is known here about \`${unknown}\``,
        fix: `Remove \`when.${unknown}\`. What the hook is about is in the text that the pattern sees.`,
        path: [...path, 'when', unknown],
      },
    ];
  const blocks = response === undefined || typeof response === 'string' ? [] : messagesOf(response).flat();
  const field = turns !== undefined ? 'turns' : failure !== undefined ? 'failure' : undefined;
  const usesTools = blocks.some((block) => block.type === 'tool_use');
  if (field === undefined && !usesTools) return [];
  return [
    {
      code: 'HOOK_ANSWER',
      message: `a hook is answered with one text, so this rule can have no ${field ?? 'tool calls'}`,
      fix: 'Keep `response` with a text. For other answers later, add rules and `max_matches`.',
      path: [...path, field ?? 'response'],
    },
  ];
}

/** The real CLI takes nothing else for a verdict. */
function hookVerdict({ response }: Rule, path: Path): UnlocatedProblem[] {
  const text = typeof response === 'string' ? response : response?.text;
  if (text === undefined || text.includes('{{')) return [];
  const verdict = parseJson(text);
  if (isObject(verdict) && typeof verdict['ok'] === 'boolean') return [];
  return [
    {
      code: 'HOOK_WITHOUT_VERDICT',
      message: 'this answer is no verdict: the hook will decide nothing',
      fix: `Write JSON: response = '{"ok": false, "reason": "…"}'.`,
      path: [...path, 'response'],
    },
  ];
}

function noAnswer(path: Path): UnlocatedProblem {
  const what = path.includes('turns') ? 'turn' : 'rule';
  return {
    code: 'NOTHING_TO_SAY',
    message: `this ${what} has neither a response nor a failure`,
    fix: 'Add `response = "…"`.',
    path,
  };
}

function noAnswerAfterFailure(path: Path): UnlocatedProblem {
  return {
    code: 'NOTHING_TO_SAY',
    message: 'with `failure.times` the rule must answer later, but it has no response',
    fix: 'Add `response = "…"`, or remove `times` to fail every time.',
    path: [...path, 'failure', 'times'],
  };
}

function reviewShape({ response, path }: FoundResponse): UnlocatedProblem[] {
  const findings: UnlocatedProblem[] = [];
  const usesTools = messagesOf(response)
    .flat()
    .some((block) => block.type === 'tool_use');
  if (response.text !== undefined && response.chunks !== undefined) {
    findings.push({
      code: 'CONFLICTING_FIELDS',
      message: '`chunks` is the text in pieces, so `text` cannot be used with it',
      fix: 'Keep one of the two.',
      path: [...path, 'chunks'],
    });
  }
  for (const field of ['text', 'chunks', 'thinking', 'tool_calls'] as const) {
    if (response.blocks !== undefined && response[field] !== undefined) {
      const message = `\`blocks\` and \`${field}\` cannot be used together, because \`blocks\` is the whole response`;
      findings.push({
        code: 'CONFLICTING_FIELDS',
        message,
        fix: `Move \`${field}\` into \`blocks\`.`,
        path: [...path, field],
      });
    }
  }
  if (response.then !== undefined && !usesTools) {
    findings.push({
      code: 'THEN_WITHOUT_TOOLS',
      message: '`then` answers tool results, but this response uses no tool',
      fix: 'Add `tool_calls`, or use `turns` to answer the next prompt.',
      path: [...path, 'then'],
    });
  }
  return findings;
}

function missingGroups({ response, path, pattern }: FoundResponse): UnlocatedProblem[] {
  const numbers = references(response).filter((name) => /^\d+$/.test(name));
  // To compile a pattern takes longer than all the rest, and most responses name no group.
  if (numbers.length === 0) return [];
  const groups = pattern === undefined ? 0 : compilePattern(pattern).groupCount;
  return numbers
    .filter((name) => Number(name) > groups)
    .map((name) => ({
      code: 'UNKNOWN_GROUP',
      message: `{{${name}}} names a group that the pattern does not have (it has ${groups})`,
      fix: 'Add a group to the pattern, or set `template = false` to send the text literally.',
      path,
    }));
}

function unknownPlaceholders({ response, path, pattern }: FoundResponse): UnlocatedProblem[] {
  const names = references(response).filter((name) => !/^\d+$/.test(name));
  if (names.length === 0) return [];
  const named = pattern === undefined || pattern.type === 'any' ? [] : groupNames(pattern);
  const known = [...TEMPLATE_NAMES, ...named];
  return names.flatMap((name) => {
    if (known.includes(name)) return [];
    const near = nearestWord(name, known);
    const meant = near === undefined ? `Use one of {{${known.join('}}, {{')}}}` : `Write {{${near}}}`;
    return [
      {
        code: 'UNKNOWN_PLACEHOLDER',
        message: `unknown placeholder {{${name}}}; it is sent literally`,
        fix: `${meant}, or set \`template = false\` if it is meant literally.`,
        path,
      },
    ];
  });
}

function groupNames(pattern: Pattern): readonly string[] {
  try {
    return compilePattern(pattern).groupNames;
  } catch {
    return [];
  }
}

function references(response: DetailedResponse): string[] {
  if (response.template === false) return [];
  const texts = messagesOf(response)
    .flat()
    .map((block) => (block.type === 'tool_use' ? JSON.stringify(block.input ?? {}, withoutLiteral) : block.text));
  return [...new Set(texts.flatMap(templateReferences))];
}

/** `{ "$text" = "…" }` is sent as it stands. */
function withoutLiteral(_key: string, value: unknown): unknown {
  const isLiteral = typeof value === 'object' && value !== null && '$text' in value;
  return isLiteral ? undefined : value;
}

/** Real agents send another request when a turn ends without visible text, so a script should not do that. */
function silentEnd({ response, path }: FoundResponse): UnlocatedProblem[] {
  if (response.then !== undefined) return [];
  const last = messagesOf(response).at(-1) ?? [];
  if (last.some((block) => block.type === 'text' && block.text.trim() !== '')) return [];
  return [
    {
      code: 'SILENT_END',
      message: 'this turn ends without visible text',
      fix: 'Add `text`; it ends the turn.',
      path,
    },
  ];
}

function reviewFaults({ faults = [], seed }: ScenarioDocument): UnlocatedProblem[] {
  return faults.flatMap((fault, index): UnlocatedProblem[] => {
    const path = ['faults', index];
    const given = (['request', 'every', 'chance'] as const).filter((field) => fault[field] !== undefined);
    if (given.length !== 1) {
      const message = `a fault needs exactly one of \`request\`, \`every\` and \`chance\`, and has ${given.length}`;
      return [{ code: 'FAULT_WITHOUT_TARGET', message, fix: 'Keep one of them.', path }];
    }
    if (fault.chance !== undefined && seed === undefined) {
      const message = '`chance` needs a `seed` in the scenario; without one, runs would differ';
      return [
        {
          code: 'CHANCE_WITHOUT_SEED',
          message,
          fix: 'Add `seed = 1` at the top of the scenario.',
          path: [...path, 'chance'],
        },
      ];
    }
    return [];
  });
}

/** Fields of the format for an interactive screen, which no stage shows. */
function fieldsWithoutEffect({ timeouts, user_name: user, provider }: ScenarioDocument): UnlocatedProblem[] {
  const fields: [Path, unknown][] = [
    [['timeouts', 'exit_hint_ms'], timeouts?.exit_hint_ms],
    [['user_name'], user],
    [['provider'], provider],
  ];
  return fields
    .filter(([, value]) => value !== undefined)
    .map(([path]) => {
      const message = `\`${String(path.at(-1))}\` has no effect, because no stage shows an interactive screen`;
      return { code: 'NO_EFFECT', message, fix: 'Remove it.', path };
    });
}

function unreachableRules({ responses = [] }: ScenarioDocument): UnlocatedProblem[] {
  const catchAll = responses.findIndex(
    (rule) => rule.pattern.type === 'any' && rule.max_matches === undefined && rule.when === undefined,
  );
  if (catchAll === -1) return [];
  return responses.slice(catchAll + 1).flatMap(({ when }, offset) => {
    // Hooks are asked apart.
    if (when?.hook !== undefined) return [];
    return {
      code: 'UNREACHABLE_RULE',
      message: `this rule is never used, because responses[${catchAll}] above it matches every prompt`,
      fix: `Move it above responses[${catchAll}], or give that rule \`max_matches\`.`,
      path: ['responses', catchAll + 1 + offset],
    };
  });
}
