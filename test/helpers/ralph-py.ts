import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { optionalProgram } from './optional-program.js';
import { virtualEnvironment } from './virtual-environment.js';

const PACKAGES = ['ralph-py==0.4.0', 'typer==0.29.1', 'rich==15.0.0', 'pydantic==2.14.3'];

/** A fault in a copy of it. */
export interface Plant {
  find: string;
  replace: string;
}

/** Makes a folder for PATH with `ralph` in it; of a copy with a fault, if one is given. */
export type MakeRalph = (folder: string, plant?: Plant) => string;

/** ralph-py from PyPI. Undefined where there is no Python, or no PyPI. */
export function prepareRalphPy(skipped: string): MakeRalph | undefined {
  const base = optionalProgram('python3', skipped);
  const python = base === undefined ? undefined : virtualEnvironment(base, PACKAGES, skipped);
  if (python === undefined) return undefined;
  return (folder, plant) => {
    const [bin, lib] = [join(folder, 'bin'), join(folder, 'lib')];
    mkdirSync(bin, { recursive: true });
    if (plant !== undefined) copyWith(plant, python, lib);
    const program = `#!/bin/sh\nPYTHONPATH='${lib}' exec '${python}' -m ralph "$@"\n`;
    writeFileSync(join(bin, 'ralph'), program, { mode: 0o755 });
    return bin;
  };
}

function copyWith({ find, replace }: Plant, python: string, folder: string): void {
  const lib = resolve(dirname(python), '../lib');
  const [version = ''] = readdirSync(lib);
  cpSync(join(lib, version, 'site-packages/ralph'), join(folder, 'ralph'), { recursive: true });
  const file = join(folder, 'ralph/core.py');
  const text = readFileSync(file, 'utf8');
  if (text.split(find).length !== 2) throw new Error(`not once in core.py of ralph-py: ${find}`);
  writeFileSync(
    file,
    text.replace(find, () => replace),
  );
}

const PROMISE = 'completed = any(line.strip() == COMPLETION_SIGNAL for line in output_lines)';
const COMPLETED = '    if completed:\n        state.status = "completed"\n';

/** A fault for each case of examples/own-suite, with the check that must be red. */
export const RALPH_FAULTS: readonly (Plant & { case: string; red: string })[] = [
  { case: 'stops at the promise', red: 'ending', find: PROMISE, replace: 'completed = False' },
  {
    ...{ case: 'stops at its limit', red: 'calls: count' },
    ...{
      find: 'elif state.iteration >= state.max_iterations:',
      replace: 'elif state.iteration > state.max_iterations:',
    },
  },
  {
    ...{ case: 'a promise in the last iteration counts', red: 'ending', find: COMPLETED },
    replace: COMPLETED.replace('completed:', 'completed and state.iteration < state.max_iterations:'),
  },
  {
    ...{ case: 'a promise inside of a sentence is none', red: 'ending', find: PROMISE },
    replace: 'completed = any(COMPLETION_SIGNAL in line for line in output_lines)',
  },
  {
    ...{ case: 'goes on after an agent that failed', red: 'ending', find: COMPLETED },
    replace: `    if exit_code != 0:\n        state.status = "failed"\n${COMPLETED.replace('if', 'elif')}`,
  },
  {
    ...{ case: 'the agent works in the project', red: 'file' },
    ...{ find: 'cwd=state.workdir,', replace: 'cwd=str(loop_dir(loop_id)),' },
  },
  { case: 'hands its memory on', red: 'memory', find: '"{memory}": memory,', replace: '"{memory}": "",' },
  { case: 'stops at the promise', red: 'task', find: '"{task}": task,', replace: '"{task}": "",' },
];
