import { join } from 'node:path';
import { type Environment, shellWord } from '@understudy/kit';
import { writeSampleFiles } from '@understudy/stage';

export interface AgainScript {
  workspace: string;
  /** What the case puts into the workspace: a run may have changed it. */
  files: Readonly<Record<string, string>>;
  /** What a run leaves there. */
  leftByRun: readonly string[];
  env: Environment;
  steps: readonly { command: readonly string[]; env: Environment }[];
}

const SCRIPT = '.home/again.sh';
const INITIAL = '.home/initial';

/**
 * Writes a script that does the steps of a case again in its workspace: by hand, with a debugger, with the agents and
 * the environment that the case had. Gives the command that runs it.
 */
export function writeAgainScript({ workspace, files, leftByRun, env, steps }: AgainScript): string {
  const assign = (variables: Environment) =>
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${shellWord(value)}`]));
  const lines = [
    '#!/bin/sh',
    '# Does the steps of this case again, with its agents and its environment. Nothing else of your environment is used.',
    `cd ${shellWord(workspace)} || exit 2`,
    `rm -rf ${leftByRun.map(shellWord).join(' ')}`,
    ...(Object.keys(files).length === 0 ? [] : [`cp -R ${INITIAL}/. .`]),
    ...steps.map(({ command, env: own }) =>
      ['env -i', ...assign({ ...env, ...own }), ...command.map(shellWord)].join(' \\\n  '),
    ),
  ];
  const initial = Object.entries(files).map(([path, content]) => ({ path: join(INITIAL, path), content }));
  writeSampleFiles(workspace, [...initial, { path: SCRIPT, content: `${lines.join('\n')}\n` }]);
  return `sh ${shellWord(join(workspace, SCRIPT))}`;
}
