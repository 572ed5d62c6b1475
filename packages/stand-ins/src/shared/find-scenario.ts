import { resolve } from 'node:path';
import { readIfThere, UnderstudyError } from '@understudy/kit';
import { keepScenario, readCachedScenario, type Scenario } from '@understudy/script';

/**
 * Loads the scenario of a stand-in: the file that `name` gives, else UNDERSTUDY_SCENARIO. One that was valid once
 * comes from a cache, so that a start does not need the validator.
 */
export async function findScenario(env: NodeJS.ProcessEnv, cwd: string, name?: string): Promise<Scenario> {
  const wanted = name || env['UNDERSTUDY_SCENARIO'];
  if (!wanted) {
    throw new UnderstudyError('SCENARIO_MISSING', 'the stand-in has no scenario to play', {
      fix: 'Set UNDERSTUDY_SCENARIO to a scenario file (the claude stand-in also takes --scenario FILE).',
    });
  }
  const file = resolve(cwd, wanted);
  const text = readIfThere(file);
  const cached = text === undefined ? undefined : readCachedScenario(file, text, env);
  if (cached !== undefined) return cached;
  const { loadScenario } = await import('@understudy/script');
  const scenario = loadScenario(file);
  if (text !== undefined) keepScenario(scenario, text, env);
  return scenario;
}

/** What a stand-in says to who asks whether somebody is logged in: yes, unless its scenario says no. */
export async function isLoggedIn(env: NodeJS.ProcessEnv): Promise<boolean> {
  if (!env['UNDERSTUDY_SCENARIO']) return true;
  const { document } = await findScenario(env, process.cwd());
  return document.logged_in !== false;
}
