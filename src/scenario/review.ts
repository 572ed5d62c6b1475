import { nearestWord } from '../document/nearest.js';
import type { Path } from '../document/path.js';
import type { Finding } from '../document/problems.js';
import { compilePattern, RefusedPattern } from './pattern.js';
import { messagesOf } from './response.js';
import type { DetailedResponse, Pattern, ScenarioDocument } from './schema.js';
import { TEMPLATE_NAMES, templateReferences } from './template.js';
import { answersOf, type FoundResponse, patternsOf, responsesOf } from './walk.js';

/** What a schema cannot say: what is wrong, and what is allowed but hardly meant. */
export interface Review {
  errors: Finding[];
  warnings: Finding[];
}

/** Reads a document for mistakes that have the right shape. */
export function reviewScenario(document: ScenarioDocument): Review {
  const errors: Finding[] = [];
  const warnings: Finding[] = [];
  for (const { pattern, path } of patternsOf(document)) errors.push(...reviewPattern(pattern, path));
  for (const { response, failure, path } of answersOf(document)) {
    if (response === undefined && failure === undefined) errors.push(saysNothing(path));
    if (failure?.times !== undefined && response === undefined) errors.push(recoversToNothing(path));
  }
  const refused = errors.some((finding) => finding.code === 'PATTERN_REFUSED');
  const failing = new Set(
    [...answersOf(document)].filter((a) => a.failure && !a.failure.times).map((a) => a.path.join()),
  );
  for (const found of responsesOf(document)) {
    errors.push(...reviewShape(found));
    if (!refused) errors.push(...missingGroups(found));
    warnings.push(...misspeltNames(found));
    if (!failing.has(found.path.slice(0, -1).join())) warnings.push(...silentEnd(found));
  }
  errors.push(...reviewFaults(document));
  warnings.push(...unreachableRules(document), ...withoutEffect(document));
  if ((document.responses ?? []).length === 0 && document.default_response === undefined) {
    warnings.push({
      code: 'NO_RULES',
      message: 'the scenario has no rule and no default_response: it can answer nothing',
      fix: 'add [[responses]] with a pattern and a response',
      path: [],
    });
  }
  return { errors, warnings };
}

function reviewPattern(pattern: Pattern, path: Path): Finding[] {
  try {
    // The arguments of a command are visited on their own.
    if (pattern.type !== 'command') compilePattern(pattern);
    return [];
  } catch (error) {
    if (!(error instanceof RefusedPattern)) throw error;
    const message = `this regular expression cannot be used: ${error.message}`;
    return [
      { code: 'PATTERN_REFUSED', message, fix: 'rewrite it, or split it into two rules', path: [...path, 'pattern'] },
    ];
  }
}

function saysNothing(path: Path): Finding {
  const what = path.includes('turns') ? 'turn' : 'rule';
  return {
    code: 'NOTHING_TO_SAY',
    message: `this ${what} has neither a response nor a failure`,
    fix: 'add `response = "…"`',
    path,
  };
}

function recoversToNothing(path: Path): Finding {
  return {
    code: 'NOTHING_TO_SAY',
    message: '`failure.times` says that it works afterwards, but there is no response',
    fix: 'add `response = "…"`, or leave `times` out to fail always',
    path: [...path, 'failure', 'times'],
  };
}

function reviewShape({ response, path }: FoundResponse): Finding[] {
  const findings: Finding[] = [];
  const usesTools = messagesOf(response)
    .flat()
    .some((block) => block.type === 'tool_use');
  for (const field of ['text', 'thinking', 'tool_calls'] as const) {
    if (response.blocks !== undefined && response[field] !== undefined) {
      const message = `\`blocks\` and \`${field}\` cannot both be given: \`blocks\` says everything, in order`;
      findings.push({
        code: 'CONFLICTING_FIELDS',
        message,
        fix: `move \`${field}\` into \`blocks\``,
        path: [...path, field],
      });
    }
  }
  if (response.then !== undefined && !usesTools) {
    findings.push({
      code: 'THEN_WITHOUT_TOOLS',
      message: '`then` is what follows tool results, but this response uses no tool',
      fix: 'add `tool_calls`, or use `turns` for what follows the next prompt',
      path: [...path, 'then'],
    });
  }
  return findings;
}

function missingGroups({ response, path, pattern }: FoundResponse): Finding[] {
  const groups = pattern === undefined ? 0 : compilePattern(pattern).groupCount;
  return references(response)
    .filter((name) => /^\d+$/.test(name) && Number(name) > groups)
    .map((name) => ({
      code: 'UNKNOWN_GROUP',
      message: `{{${name}}} refers to a group that the pattern does not have (it has ${groups})`,
      fix: 'add a group to the pattern, or set `template = false` to say it literally',
      path,
    }));
}

function misspeltNames({ response, path, pattern }: FoundResponse): Finding[] {
  const named = pattern === undefined || pattern.type === 'any' ? [] : groupNames(pattern);
  const known = [...TEMPLATE_NAMES, ...named];
  return references(response).flatMap((name) => {
    const near = /^\d+$/.test(name) || known.includes(name) ? undefined : nearestWord(name, known);
    if (near === undefined) return [];
    return [
      {
        code: 'UNKNOWN_PLACEHOLDER',
        message: `{{${name}}} means nothing and is said as it stands`,
        fix: `did you mean {{${near}}}?`,
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
    .map((block) => (block.type === 'tool_use' ? JSON.stringify(block.input ?? {}) : block.text));
  return [...new Set(texts.flatMap(templateReferences))];
}

/** Real agents ask again when a turn ends without visible text, so a script should not end so. */
function silentEnd({ response, path }: FoundResponse): Finding[] {
  if (response.then !== undefined) return [];
  const last = messagesOf(response).at(-1) ?? [];
  if (last.some((block) => block.type === 'text' && block.text.trim() !== '')) return [];
  return [
    {
      code: 'SILENT_END',
      message: 'this turn ends without visible text',
      fix: 'add `text`, which closes the turn',
      path,
    },
  ];
}

function reviewFaults({ faults = [], seed }: ScenarioDocument): Finding[] {
  return faults.flatMap((fault, index): Finding[] => {
    const path = ['faults', index];
    const given = (['request', 'every', 'chance'] as const).filter((field) => fault[field] !== undefined);
    if (given.length !== 1) {
      const message = `a fault needs exactly one of \`request\`, \`every\` and \`chance\`, and has ${given.length}`;
      return [{ code: 'FAULT_WITHOUT_TARGET', message, fix: 'keep one of them', path }];
    }
    if (fault.chance !== undefined && seed === undefined) {
      const message = '`chance` needs a `seed` in the scenario, so that every run is the same';
      return [{ code: 'CHANCE_WITHOUT_SEED', message, fix: 'add `seed = 1` at the top', path: [...path, 'chance'] }];
    }
    return [];
  });
}

/** Fields of the format that belong to an interactive screen, which no stage of ours plays. */
function withoutEffect({ timeouts }: ScenarioDocument): Finding[] {
  if (timeouts?.exit_hint_ms === undefined) return [];
  const message = '`exit_hint_ms` has no effect: it is about an interactive screen';
  return [{ code: 'NO_EFFECT', message, fix: 'leave it out', path: ['timeouts', 'exit_hint_ms'] }];
}

function unreachableRules({ responses = [] }: ScenarioDocument): Finding[] {
  const catchAll = responses.findIndex(
    (rule) => rule.pattern.type === 'any' && rule.max_matches === undefined && rule.when === undefined,
  );
  if (catchAll === -1) return [];
  return responses.slice(catchAll + 1).map((_, offset) => ({
    code: 'UNREACHABLE_RULE',
    message: `this rule is never reached: responses[${catchAll}] matches everything before it`,
    fix: 'move it up, or give the rule above it max_matches',
    path: ['responses', catchAll + 1 + offset],
  }));
}
