import { type OfferedTool, offeredToolSet } from '../shared/offered-tools.js';
import type { ToolSet } from '../shared/translate-call.js';

const tool = (name: string, required: string, others = ''): OfferedTool => {
  const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');
  return { name, properties: [...words(required), ...words(others)], required: words(required) };
};

/** OpenCode's own tools, in the order of their names. */
export const TOOLS: readonly OfferedTool[] = [
  tool('bash', 'command', 'timeout workdir'),
  tool('edit', 'filePath oldString newString', 'replaceAll'),
  tool('glob', 'pattern', 'path'),
  tool('grep', 'pattern', 'path include'),
  tool('read', 'filePath', 'offset limit'),
  tool('skill', 'name'),
  tool('task', 'description prompt subagent_type', 'task_id command'),
  tool('todowrite', 'todos'),
  tool('webfetch', 'url', 'format timeout'),
  tool('write', 'content filePath'),
];

/** The tools of the agent. Calls are translated as on the stage `scripted`. */
export function toolsFor(cwd: string): ToolSet {
  const set = offeredToolSet(TOOLS, cwd);
  const available = [...set.names, 'invalid'].sort().join(', ');
  return {
    ...set,
    unavailable: (name) => {
      const error = `Model tried to call unavailable tool '${name}'. Available tools: ${available}.`;
      return {
        ...{ name: 'invalid', input: { tool: name, error } },
        result: { text: `The arguments provided to the tool are invalid: ${error}`, isError: false },
      };
    },
  };
}
