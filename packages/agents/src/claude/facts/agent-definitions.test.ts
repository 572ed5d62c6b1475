import { expect, it } from 'vitest';
import { readAgentDefinitions, toolsOf } from './agent-definitions.js';

const SESSION = ['Task', 'Bash', 'Read', 'Workflow', 'mcp__plugin_toolbox_echo__say'];

it.each([
  [{}, undefined],
  [{ tools: '*' }, undefined],
  [{ tools: 'Read' }, ['Read']],
  [{ tools: 'Read, Bash(git log:*), Task' }, ['Agent', 'Bash', 'Read']],
  [{ tools: ['Grep', 'Read'] }, ['Read', 'Grep']],
  [{ tools: 'Raed' }, []],
  [{ tools: [] }, []],
  [{ tools: 'mcp__plugin_toolbox_echo' }, ['mcp__plugin_toolbox_echo__say']],
  [{ tools: 'Read, Bash', disallowedTools: 'Read' }, ['Bash']],
  [{ disallowedTools: 'mcp__plugin_toolbox_echo, Agent' }, ['Bash', 'Read', 'Glob', 'Grep']],
  [{ tools: 'Read, Workflow, TodoWrite' }, ['Read']],
])('an agent with %j has %j', (fields, expected) => {
  const [agent] = readAgentDefinitions({ reader: { prompt: 'Read.', ...fields } });
  expect(agent && toolsOf(agent, SESSION)).toEqual(expected);
});
