import { TOOLS_OF_HOOKS as KNOWN_TOOLS } from '@understudy/agents';
import { nearestWord } from '@understudy/kit';
import type { Issue } from './component.js';

/** Tools of an agent that do not exist: the agent does not get them. */
export function unknownTools(tools: readonly string[] = []): { issue?: Issue; note?: string } {
  const unknown = tools
    .map((tool) => tool.replace(/\(.*$/, ''))
    .filter((tool) => tool !== '*' && !tool.startsWith('mcp__') && !KNOWN_TOOLS.includes(tool));
  for (const tool of unknown) {
    const near = nearestWord(tool, KNOWN_TOOLS);
    if (near === undefined || tools.includes(near)) continue;
    const others = unknown.filter((one) => one !== tool);
    return {
      issue: {
        reason: `its tools name ${tool}, and there is no such tool: the agent does not get it${
          others.length === 0 ? '' : ` (we do not know ${others.join(', ')} either)`
        }`,
        fix: `Did you mean ${near}?`,
      },
    };
  }
  return unknown.length === 0 ? {} : { note: `its tools name ${unknown.join(', ')}, which we do not know` };
}
