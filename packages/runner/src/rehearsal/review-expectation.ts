import { nearestWord, type Path, UnderstudyError, type UnlocatedProblem } from '@understudy/kit';
import { compileTextPattern, compileValueSchema, RefusedPattern, textPatternSchema } from '@understudy/script';
import { parseCommandName, unwatchedPath } from '@understudy/verdict';
import * as z from 'zod/mini';
import type { Expectation } from './expectation-schema.js';
import { reviewHookNames } from './review-hook-places.js';

/** Finds expectations that could never fail, could never hold, or could not be looked at. */
export function reviewExpectation(
  expect: Expectation,
  path: Path,
  stages: readonly string[] | 'none' | 'unknown',
): UnlocatedProblem[] {
  return [
    ...reviewEmpty(expect, path),
    ...reviewContradictions(expect, path),
    ...reviewWorkflow(expect, path, stages),
    ...reviewSuggests(expect, path),
    ...reviewPatterns(expect, path),
    ...reviewJson(expect, path),
    ...reviewHookNames(expect, path),
    ...reviewFiles(expect, path),
  ];
}

/** An empty table or list asks for nothing: it would always pass. */
function reviewEmpty(expect: Expectation, path: Path): UnlocatedProblem[] {
  const { keywords, tools, budget, hooks, permissions, files, skills, subagents, told, told_not } = expect;
  const asked = (table: object) =>
    Object.entries(table).some(([name, value]) => name !== 'case_sensitive' && name !== 'agent' && value !== undefined);
  const empty: [string, boolean][] = [
    ['keywords', keywords !== undefined && !asked(keywords)],
    ['tools', tools !== undefined && (!asked(tools) || tools.calls?.length === 0)],
    ['budget', budget !== undefined && !asked(budget)],
    ['hooks', hooks?.length === 0],
    ['permissions', permissions?.length === 0],
    ['files', files?.length === 0],
    ['error_handled', expect.error_handled === false],
    ['skills', skills !== undefined && !asked(skills)],
    ['subagents', subagents !== undefined && !asked(subagents)],
    ['told', told !== undefined && (!asked(told) || told.tools?.length === 0)],
    ['told_not', told_not !== undefined && (!asked(told_not) || told_not.tools?.length === 0)],
  ];
  return empty.flatMap(([name, isEmpty]): UnlocatedProblem[] =>
    isEmpty
      ? [
          {
            code: 'EXPECTS_NOTHING',
            message: `\`${name}\` asks for nothing, so it could never fail`,
            fix: 'Say what must hold, or remove it.',
            path: [...path, name],
          },
        ]
      : [],
  );
}

/** Paths that no change has: those are compared as they are written. */
function reviewFiles({ files }: Expectation, path: Path): UnlocatedProblem[] {
  return (files ?? []).flatMap(({ path: file }, index): UnlocatedProblem[] => {
    const why = unwatchedPath(file);
    if (why === undefined) return [];
    const message = `${JSON.stringify(file)} ${why}, so nothing that is expected of it could be seen`;
    const fix = 'Write the path of one file or folder in the project, relative to the project: "src/app.py".';
    return [{ code: 'EXPECTS_NOTHING', message, fix, path: [...path, 'files', index, 'path'] }];
  });
}

function reviewContradictions(expect: Expectation, path: Path): UnlocatedProblem[] {
  const wrong: [boolean | undefined, string, Path][] = [
    [
      expect.reason !== undefined && (expect.outcome ?? 'completed') === 'completed',
      '`reason` is why a turn did not complete, and it is expected to complete: add `outcome = "failed"`',
      ['reason'],
    ],
    [
      expect.commits?.count === 0 && Object.keys(expect.commits).length > 1,
      'with `count = 0` there is no commit that could be like that',
      ['commits'],
    ],
    ...(expect.files ?? []).map((file, index): [boolean, string, Path] => [
      (file.change === 'unchanged' || file.change === 'deleted') && file.contains !== undefined,
      `what a file that is ${file.change} contains is not looked at`,
      ['files', index],
    ]),
    ...(expect.hooks ?? []).map((hook, index): [boolean, string, Path] => [
      hook.fired === false && Object.keys(hook).some((field) => !['event', 'on', 'fired'].includes(field)),
      'a hook that must not fire can neither block nor say anything',
      ['hooks', index],
    ]),
    ...(expect.permissions ?? []).map((permission, index): [boolean, string, Path] => [
      permission.asked === false && permission.decision !== undefined,
      'what is not asked for is not decided',
      ['permissions', index],
    ]),
  ];
  return wrong.flatMap(([isWrong, message, at]): UnlocatedProblem[] =>
    isWrong === true ? [{ code: 'CONTRADICTION', message, fix: 'Keep one of the two.', path: [...path, ...at] }] : [],
  );
}

function reviewWorkflow(
  { workflow }: Expectation,
  path: Path,
  stages: readonly string[] | 'none' | 'unknown',
): UnlocatedProblem[] {
  if (workflow === undefined || stages === 'unknown') return [];
  if (stages === 'none') {
    const message = '`workflow` in `expect` needs a workflow, and the rehearsal names none';
    const fix = 'Add `workflow = "agent-loop"`, or the path of a workflow file, at the top of the rehearsal.';
    return [{ code: 'MISSING_FIELD', message, fix, path: [...path, 'workflow'] }];
  }
  const named: [string | undefined, Path][] =
    typeof workflow === 'string'
      ? [[workflow, ['workflow']]]
      : [
          [workflow.from, ['workflow', 'from']],
          [workflow.to, ['workflow', 'to']],
        ];
  return named.flatMap(([name, at]): UnlocatedProblem[] => {
    if (name === undefined || stages.includes(name.replace(/-iteration-\d+$/, ''))) return [];
    const near = nearestWord(name, stages);
    const fix = near === undefined ? `Use one of its stages: ${stages.join(', ')}.` : `Did you mean "${near}"?`;
    const message = `the workflow has no stage "${name}"`;
    return [{ code: 'WORKFLOW_STAGE_UNKNOWN', message, fix, path: [...path, ...at] }];
  });
}

function reviewSuggests({ suggests }: Expectation, path: Path): UnlocatedProblem[] {
  return [suggests ?? []].flat().flatMap((command): UnlocatedProblem[] => {
    try {
      parseCommandName(command);
      return [];
    } catch (error) {
      if (!(error instanceof UnderstudyError)) throw error;
      return [{ code: error.code, message: error.message, fix: error.fix ?? '', path: [...path, 'suggests'] }];
    }
  });
}

function reviewPatterns(expect: Expectation, path: Path): UnlocatedProblem[] {
  const patterns: [unknown, Path][] = [
    [expect.says, ['says']],
    [expect.says_not, ['says_not']],
    [expect.command?.expands_to, ['command', 'expands_to']],
    [expect.commits?.message, ['commits', 'message']],
    ...(expect.files ?? []).map(({ contains }, index): [unknown, Path] => [contains, ['files', index, 'contains']]),
    ...(expect.hooks ?? []).flatMap((hook, index) =>
      (['reason', 'stdout', 'stderr'] as const).map((name): [unknown, Path] => [hook[name], ['hooks', index, name]]),
    ),
    ...toldPatterns(expect.told, ['told']),
    ...toldPatterns(expect.told_not, ['told_not']),
    ...(expect.tools?.calls ?? []).flatMap(({ input }, index) =>
      Object.entries(input ?? {}).map(([name, value]): [unknown, Path] => [
        value,
        ['tools', 'calls', index, 'input', name],
      ]),
    ),
  ];
  return patterns.flatMap(([value, at]): UnlocatedProblem[] => {
    const pattern = z.safeParse(textPatternSchema, value);
    if (!pattern.success) return [];
    try {
      compileTextPattern(pattern.data);
      return [];
    } catch (error) {
      if (!(error instanceof RefusedPattern)) throw error;
      return [{ code: 'PATTERN_REFUSED', message: error.message, path: [...path, ...at] }];
    }
  });
}

function toldPatterns(told: Expectation['told'], path: Path): [unknown, Path][] {
  const { system, message, tools } = told ?? {};
  return [
    ...[system ?? []].flat().map((value): [unknown, Path] => [value, [...path, 'system']]),
    ...[message ?? []].flat().map((value): [unknown, Path] => [value, [...path, 'message']]),
    ...(tools ?? []).map((tool, index): [unknown, Path] => [
      typeof tool === 'string' ? undefined : tool.description,
      [...path, 'tools', index, 'description'],
    ]),
  ];
}

function reviewJson({ json }: Expectation, path: Path): UnlocatedProblem[] {
  if (json === undefined) return [];
  try {
    compileValueSchema(json);
    return [];
  } catch (error) {
    const message = `\`json\` is not a JSON Schema that we can read: ${error instanceof Error ? error.message : error}`;
    return [{ code: 'BAD_JSON_SCHEMA', message, path: [...path, 'json'] }];
  }
}
