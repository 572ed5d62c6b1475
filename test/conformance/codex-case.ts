import type { ScriptedCase, ScriptedRun } from './scripted-case.js';

export const ANYWHERE = '--skip-git-repo-check';

/** Given, not estimated: texts with paths are longer on other machines. */
export const usage = { input_tokens: 1000, output_tokens: 500, cache_read_input_tokens: 200 };

export const exec = (...args: string[]): ScriptedRun => ({ args: ['exec', ANYWHERE, ...args] });
export const json = (...args: string[]): ScriptedRun => exec('--json', ...args);

/** Makes cases of one run each, which have the same in common. */
export const casesWith =
  (base: Omit<ScriptedCase, 'name' | 'runs'>) =>
  (name: string, run: ScriptedRun | readonly ScriptedRun[], more: Partial<ScriptedCase> = {}): ScriptedCase => ({
    ...{ name, runs: Array.isArray(run) ? run : [run as ScriptedRun] },
    ...base,
    ...more,
  });
