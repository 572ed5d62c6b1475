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

const WITHOUT_IDS = String.raw`s/\"(thread-id|turn-id|cwd)\":\"[^\"]*\"/\"\\1\":0/g`;

/** A setting: a program that writes down what it hears of turns. */
export const NOTIFY = `notify = ["sh", "-c", "echo loud; echo $1 | sed -E '${WITHOUT_IDS}' >> told.txt; exit 3", "x"]\n`;
