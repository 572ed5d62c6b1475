import { resolve } from 'node:path';
import { readIfThere } from '../../../document/json.js';
import { UnderstudyError } from '../../../errors.js';
import type { Scenario } from '../../../scenario/load.js';
import { keepScenario, readCachedScenario } from '../../../scenario/scenario-cache.js';

/** The scenario that a run plays: `--scenario`, else UNDERSTUDY_SCENARIO, else the older CLAUDELESS_SCENARIO. */
export async function findScenario(flag: string | undefined, env: NodeJS.ProcessEnv, cwd: string): Promise<Scenario> {
  const name = flag || env['UNDERSTUDY_SCENARIO'] || env['CLAUDELESS_SCENARIO'];
  if (!name) {
    throw new UnderstudyError('SCENARIO_MISSING', 'the stand-in has no scenario to play', {
      fix: 'Name one with --scenario FILE, or set UNDERSTUDY_SCENARIO=FILE.',
    });
  }
  const file = resolve(cwd, name);
  const text = readIfThere(file);
  const known = text === undefined ? undefined : readCachedScenario(file, text, env);
  if (known !== undefined) return known;
  const { loadScenario } = await import('../../../scenario/load.js');
  const scenario = loadScenario(file);
  if (text !== undefined) keepScenario(scenario, text, env);
  return scenario;
}
