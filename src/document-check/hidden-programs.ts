import { locateProblems, type Problem, type UnlocatedProblem } from '@understudy/kit';
import { fromRehearsal, type Rehearsal, readableNextToRehearsal } from '@understudy/runner';
import {
  type DeclaredPlugin,
  type HiddenProgram,
  hiddenHere,
  hiddenPrograms,
  notVisible,
  readPlugin,
  readProject,
  VISIBLE_FIX,
} from '@understudy/stage';

/** Warns of hooks and servers that cannot start in the sandbox, before anything is run. */
export async function warnOfHidden(rehearsal: Rehearsal): Promise<Problem[]> {
  const { plugins = [], project } = rehearsal.document;
  const declared = [
    ...plugins.map((path, index) => ({
      plugin: readPlugin(fromRehearsal(rehearsal, path)),
      path: ['plugins', index],
    })),
    ...(project?.path === undefined
      ? []
      : [{ plugin: readProject(fromRehearsal(rehearsal, project.path)), path: ['project', 'path'] }]),
  ];
  if (!declared.some(({ plugin }) => plugin?.components.some(isStarted))) return [];
  const { hidden, shown } = await hiddenHere(undefined);
  const around = { hidden, shown: [...shown, ...readableNextToRehearsal(rehearsal)] };
  const problems = declared.flatMap(({ plugin, path }) =>
    plugin === undefined
      ? []
      : hiddenPrograms(plugin, around)
          .filter((program) => !isReplaced(rehearsal, program))
          .map((program): UnlocatedProblem => ({ ...warningOf(plugin, program), path })),
  );
  return locateProblems(rehearsal.source, problems);
}

function isStarted({ kind }: DeclaredPlugin['components'][number]): boolean {
  return kind === 'hook' || kind === 'server';
}

function isReplaced({ document: { mcp = {} } }: Rehearsal, { component }: HiddenProgram): boolean {
  return component.kind === 'server' && Object.hasOwn(mcp, component.name);
}

function warningOf({ name }: DeclaredPlugin, { component, what }: HiddenProgram) {
  const { kind, file } = component;
  const part = kind === 'server' ? `the server ${component.name}` : `the hook ${component.event}`;
  return {
    code: 'HIDDEN_PROGRAM' as const,
    message: `${part} of ${name} (${file}) will not start. ${notVisible(what)}`,
    fix: kind === 'server' ? `${VISIBLE_FIX} Or replace it: [mcp.${component.name}].` : VISIBLE_FIX,
  };
}
