import type { Stage } from '../agents/driver.js';
import type { Scenario } from '../scenario/load.js';

/**
 * The scenario as a stage needs it. The real CLI runs its tools; so that a rehearsal means the same
 * on the stand-in, they really run there too, unless the script says otherwise.
 */
export function scenarioFor(stage: Stage, scenario: Scenario): Scenario {
  const { document, warnings } = scenario;
  if (stage !== 'sim' || document.tool_execution?.mode !== undefined) return scenario;
  return { document: { ...document, tool_execution: { ...document.tool_execution, mode: 'live' } }, warnings };
}
