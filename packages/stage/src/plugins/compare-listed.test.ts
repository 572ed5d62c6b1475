import { expect, it } from 'vitest';
import { compareListed } from './compare-listed.js';
import type { DeclaredText } from './declared/component.js';
import { listedAgents } from './loaded/listed-agents.js';

const agent: DeclaredText = {
  ...{ kind: 'agent', names: ['a'], file: 'agents/a.md', hidesFromModel: false },
  description: 'Reads the code.\nUse it often.',
  tools: ['Read', 'Task'],
};

/** What is found when the model was sent this line about the agent. */
function found(line: string, text: DeclaredText = agent): string | undefined {
  const request = {
    messages: [{ content: [{ text: `Agents:\n- Plan: Plans (Tools: All tools)\n${line}\n\nSkills:\n- x: y` }] }],
  };
  const told = listedAgents([request], ['Plan', 'p:a']);
  return compareListed('p', text, { name: 'p:a' }, { listedAgents: told })?.reason;
}

it('is content when the model is told what the file declares', () => {
  expect(found('- p:a: Reads the code.\nUse it often. (Tools: Read, Agent)')).toBeUndefined();
});

it('finds another description, and tools that were lost', () => {
  expect(found('- p:a: Agent from p plugin (Tools: Read, Task)')).toContain('the CLI shows "Agent from p plugin"');
  const described = '- p:a: Reads the code.\nUse it often.';
  expect(found(`${described} (Tools: All tools)`)).toContain('the CLI gives it All tools');
  expect(found(`${described} (Tools: Read)`)).toContain('the CLI gives it Read');
});

it('compares the description of a command without the name of its plugin', () => {
  const command: DeclaredText = { ...agent, kind: 'command', description: 'Goes' };
  const told = (description: string) =>
    compareListed('p', command, { name: 'p:a', description }, { listedAgents: new Map() });
  expect(told('(p) Goes')).toBeUndefined();
  expect(told('(p) The first line of the body')?.reason).toContain('its description says "Goes"');
  const angles = { ...command, description: 'a -> b <c>' };
  const escaped = { name: 'p:a', description: '(p) a -&gt; b &lt;c&gt;' };
  expect(compareListed('p', angles, escaped, { listedAgents: new Map() })).toBeUndefined();
});
