import { locateProblems, type UnlocatedProblem } from '../document/problems.js';
import type { Problem } from '../errors.js';
import { hiddenHere } from '../isolation/isolation.js';
import { notVisible, VISIBLE_FIX } from '../isolation/not-visible.js';
import type { DeclaredPlugin } from '../plugins/declared/component.js';
import { readPlugin } from '../plugins/declared/plugin.js';
import { readProject } from '../plugins/declared/project.js';
import { type HiddenProgram, hiddenPrograms } from '../plugins/hidden-programs.js';
import { besideRehearsal } from '../rehearsal/beside-rehearsal.js';
import { fromRehearsal, type Rehearsal } from '../rehearsal/load.js';

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
  const around = { hidden, shown: [...shown, ...besideRehearsal(rehearsal)] };
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
