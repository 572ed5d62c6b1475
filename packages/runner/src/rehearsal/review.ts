import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseAgentSpec } from '@understudy/agents';
import type { Path, UnlocatedProblem } from '@understudy/kit';
import { defined, nearestWord, UnderstudyError } from '@understudy/kit';
import { builtInWorkflows, loadWorkflow } from '@understudy/stage';
import { type Check, type Expectation, type HookPlace, hookPlace, reviewExpectation } from '@understudy/verdict';
import { isFolder, noFolder, reviewEnvironment } from './agent-environment.js';
import { reviewSettings } from './claude-settings.js';
import { reviewAround } from './review-around.js';
import { reviewRuns } from './review-run.js';
import { isRunStep, type RehearsalDocument } from './schema.js';
import { reviewTerminalSteps } from './terminal-step.js';

/** What a schema cannot say of a rehearsal: paths that lead nowhere, and expectations that cannot hold or cannot fail. */
export function reviewRehearsal(
  document: RehearsalDocument,
  file: string,
  own: readonly Check[] = [],
): UnlocatedProblem[] {
  const stages = stagesOf(document, file);
  return [
    ...reviewAgents(document),
    ...reviewRuns(document, file, own),
    ...reviewScenarioFile(document, file),
    ...(document.plugins ?? []).flatMap((plugin, index) =>
      isFolder(file, plugin) ? [] : [noFolder(file, plugin, ['plugins', index])],
    ),
    ...reviewProject(document, file),
    ...reviewEnvironment(document, file),
    ...reviewSettings(document, file),
    ...reviewServers(document),
    ...reviewAround(document, file),
    ...reviewTerminalSteps(document),
    ...stages.findings,
    ...document.steps.flatMap((step, index) =>
      isRunStep(step) || step.expect === undefined
        ? []
        : [
            ...reviewExpectation(step.expect, ['steps', index, 'expect'], stages.names, own),
            ...reviewHookPlaces(step.expect.hooks, 'step', ['steps', index, 'expect', 'hooks']),
          ],
    ),
    ...(['start', 'end'] as const).flatMap((part) => {
      const expect = document[part]?.expect;
      if (expect === undefined) return [];
      return [
        ...reviewExpectation(expect, [part, 'expect'], stages.names),
        ...reviewHookPlaces(expect.hooks, part, [part, 'expect', 'hooks']),
      ];
    }),
  ];
}

function reviewAgents({ agent }: RehearsalDocument): UnlocatedProblem[] {
  return [agent ?? []].flat().flatMap((spec, index): UnlocatedProblem[] => {
    try {
      parseAgentSpec(spec);
      return [];
    } catch (error) {
      return [refusal(error, Array.isArray(agent) ? ['agent', index] : ['agent'])];
    }
  });
}

function reviewScenarioFile({ scenario, responses }: RehearsalDocument, file: string): UnlocatedProblem[] {
  if (scenario === undefined) return [];
  const findings: UnlocatedProblem[] = [];
  if (responses !== undefined) {
    findings.push({
      code: 'CONFLICTING_FIELDS',
      message: '`scenario` and `responses` cannot both be given: whose rules should answer?',
      fix: 'Keep one of them.',
      path: ['scenario'],
    });
  }
  if (!existsSync(resolve(dirname(file), scenario))) {
    const message = `there is no file ${scenario} beside the rehearsal`;
    findings.push({
      code: 'FILE_NOT_FOUND',
      message,
      fix: 'Check the path; it is relative to the rehearsal.',
      path: ['scenario'],
    });
  }
  return findings;
}

function reviewProject({ project }: RehearsalDocument, file: string): UnlocatedProblem[] {
  if (project === undefined) return [];
  const { path, type, language, serve } = project;
  const findings: UnlocatedProblem[] = [];
  if (path !== undefined && (type !== undefined || language !== undefined)) {
    findings.push({
      code: 'CONFLICTING_FIELDS',
      message: '`project.path` is a folder to copy, so it has no `type` or `language`',
      fix: 'Keep `path`, or `type` and `language`.',
      path: ['project', 'path'],
    });
  }
  if (serve === true && type !== 'web-app') {
    findings.push({
      code: 'WORKSPACE_NO_SERVER',
      message: 'only a generated web-app has a development server',
      fix: 'Add `type = "web-app"` and a `language`, or remove `serve`.',
      path: ['project', 'serve'],
    });
  }
  if (path !== undefined && !isFolder(file, path)) findings.push(noFolder(file, path, ['project', 'path']));
  if ((type === undefined) !== (language === undefined)) {
    findings.push({
      code: 'MISSING_FIELD',
      message: 'a generated project needs both `type` and `language`',
      fix: 'Give both, for example `{ type = "cli", language = "python" }`.',
      path: ['project'],
    });
  }
  return findings;
}

function reviewServers({ mcp = {} }: RehearsalDocument): UnlocatedProblem[] {
  return Object.entries(mcp).flatMap(([name, { absent, command, args, env, tools, ...faults }]): UnlocatedProblem[] => {
    const given = [absent, command, tools].filter((one) => one !== undefined).length;
    const isFaulty = Object.keys(faults).length > 0;
    const path = ['mcp', name];
    if (given === 0 && !isFaulty) {
      const message = `\`[mcp.${name}]\` does not say what stands in the place of the server`;
      const fix = 'Add `absent = true`, a `command`, `tools`, or what goes wrong, such as `dies_after = 1`.';
      return [{ code: 'MISSING_FIELD', message, fix, path }];
    }
    if (absent === true && isFaulty) {
      const message = `nothing can go wrong with a server that is not there`;
      return [{ code: 'CONFLICTING_FIELDS', message, fix: 'Leave out `absent`, or the rest.', path }];
    }
    const never =
      faults.fails === undefined
        ? undefined
        : Object.keys({ ...faults, ...defined({ command, tools }) }).find(
            (field) => field !== 'fails' && field !== 'start_delay_ms',
          );
    if (never !== undefined) {
      const message = `\`${never}\` has no effect: the server \`fails\` before it`;
      return [{ code: 'CONFLICTING_FIELDS', message, fix: `Leave out \`fails\`, or \`${never}\`.`, path }];
    }
    if (given <= 1 && (command !== undefined || (args === undefined && env === undefined))) return [];
    const message = `\`[mcp.${name}]\` can have one of \`absent\`, \`command\` (with \`args\` and \`env\`) and \`tools\``;
    return [{ code: 'CONFLICTING_FIELDS', message, fix: 'Keep one of them.', path }];
  });
}

/** The stages that expectations may name; undefined where no workflow is named, or a broken one. */
function stagesOf(
  { workflow }: RehearsalDocument,
  file: string,
): { names: readonly string[] | 'none' | 'unknown'; findings: UnlocatedProblem[] } {
  if (workflow === undefined) return { names: 'none', findings: [] };
  const builtIn = Object.hasOwn(builtInWorkflows, workflow);
  const path = resolve(dirname(file), workflow);
  if (!builtIn && !existsSync(path)) {
    const near = nearestWord(workflow, Object.keys(builtInWorkflows));
    const message = `there is no workflow "${workflow}", and no such file beside the rehearsal`;
    const fix =
      near === undefined
        ? `Use one of ${Object.keys(builtInWorkflows).join(', ')}, or the path of a TOML file.`
        : `Did you mean "${near}"?`;
    return { names: 'unknown', findings: [{ code: 'WORKFLOW_UNKNOWN', message, fix, path: ['workflow'] }] };
  }
  try {
    return { names: loadWorkflow(builtIn ? workflow : path).stages.map(({ name }) => name), findings: [] };
  } catch (error) {
    return { names: 'unknown', findings: [refusal(error, ['workflow'])] };
  }
}

/** An error of ours, at the place that caused it. */
export function refusal(error: unknown, path: Path): UnlocatedProblem {
  if (!(error instanceof UnderstudyError)) throw error;
  return { code: error.code, message: error.message, ...defined({ fix: error.fix }), path };
}

const WHEN: Record<HookPlace, string> = {
  start: 'before the first step',
  step: 'in steps only',
  end: 'after the last step',
};

/** Finds hooks that are expected where they cannot fire: `fired = false` would always pass there. */
function reviewHookPlaces(hooks: Expectation['hooks'], place: HookPlace, path: Path): UnlocatedProblem[] {
  return (hooks ?? []).flatMap((hook, index): UnlocatedProblem[] => {
    const own = hookPlace(hook);
    if (own === undefined || own === place) return [];
    const blind = place === 'step' ? 'no step sees it' : `\`[${place}.expect]\` never sees it`;
    const message = `${hook.event} fires ${WHEN[own]}, so ${blind}`;
    return [{ code: 'HOOK_FIRES_ELSEWHERE', message, fix: fixFor(hook.event, own, place), path: [...path, index] }];
  });
}

function fixFor(event: string, own: HookPlace, place: HookPlace): string {
  if (own === 'step') return 'Move it into the `expect` of a step.';
  const clear = place === 'step' ? ` For the one that \`/clear\` fires, add \`on = "clear"\` here.` : '';
  return event === 'Setup' ? 'Move it to `[start.expect]`.' : `Move it to \`[${own}.expect]\`.${clear}`;
}
