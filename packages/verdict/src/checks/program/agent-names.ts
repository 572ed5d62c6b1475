import { agentNames } from '@understudy/agents';
import { nearestWord, type Path, type UnlocatedProblem } from '@understudy/kit';
import type { KnownNames } from '../define-check.js';

/** An agent that no call can be of. */
export function reviewAgentName(
  name: string,
  { agents = [], protocols = [] }: KnownNames,
  path: Path,
): UnlocatedProblem[] {
  const placed = agents.map((spec) => spec.split('@')[0] ?? spec);
  const known = [...placed, ...protocols];
  if (known.includes(name)) return [];
  const near = nearestWord(name, known);
  const isAgent = (agentNames as readonly string[]).includes(name);
  return [
    {
      code: 'AGENT_UNKNOWN',
      message: isAgent ? `${name} is not among the \`agents\` of the rehearsal` : `there is no agent named "${name}"`,
      fix: isAgent
        ? `Add "${name}" to \`agents\`, or expect one of ${placed.join(', ')}.`
        : near === undefined
          ? `Use one of ${known.join(', ')}.`
          : `Did you mean "${near}"?`,
      path,
    },
  ];
}
