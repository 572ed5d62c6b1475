import { MARKETPLACE } from '../copy.js';
import type { Catalogue, Fault } from '../fault.js';
import { epti, loop, promptctl, visual } from './marketplace-names.js';

const HOOKS = 'plugins/epti/hooks/hooks.json';
const GATE = 'plugins/epti/hooks/tests-first.mjs';

const faults: Record<string, Fault> = {
  'hook unwired': {
    plant: (copy) => copy.edit(HOOKS, '"PreToolUse"', '"Setup"'),
    // What is wrong with a plugin shows in every rehearsal that uses it.
    red: {
      [epti.hook]: 'hook',
      [epti.implement]: 'hook',
      [epti.refused]: 'tools: calls',
      [epti.verify]: 'plugins are sound',
    },
    green: [loop.plan],
  },
  'hook ends with 1 instead of blocking': {
    plant: (copy) => copy.edit(GATE, /process\.stdout\.write\([\s\S]*\);\n\}/, 'process.exitCode = 1;\n}'),
    red: { [epti.commitCode]: 'hook', [epti.refused]: 'hook' },
    green: [epti.hook, epti.write, epti.implement],
  },
  'hook denies without the name of its event': {
    plant: (copy) => copy.edit(GATE, "        hookEventName: 'PreToolUse',\n", ''),
    red: { [epti.commitCode]: 'hook', [epti.refused]: 'hook' },
    green: [epti.hook, epti.write, epti.implement],
  },
  'hook matcher too narrow': {
    plant: (copy) => copy.edit(HOOKS, 'Write|Edit|MultiEdit|NotebookEdit|Bash', 'Write'),
    red: { [epti.commitTests]: 'hook', [epti.refused]: 'hook', [epti.documents]: 'hook' },
    green: [epti.hook, epti.write],
  },
  'hook matcher misspelt': {
    plant: (copy) => copy.edit(HOOKS, 'Write|Edit|MultiEdit|NotebookEdit|Bash', 'write'),
    red: { [epti.refused]: 'hook' },
    green: [],
  },
  'gate inverted': {
    plant: (copy) => copy.edit(GATE, "newest.kind === 'implementation'", "newest.kind === 'test'"),
    red: { [epti.implement]: 'hook', [epti.refused]: 'hook' },
    green: [epti.hook, epti.write, epti.commitTests, epti.documents],
  },
  'command renamed': {
    plant: (copy) => copy.rename('plugins/agent-loop/commands/explore.md', 'plugins/agent-loop/commands/survey.md'),
    red: { [loop.explore]: 'command expanded', [loop.alone]: 'outcome' },
    green: [loop.plan, loop.code],
  },
  'command without its arguments': {
    plant: (copy) => copy.edit('plugins/agent-loop/commands/plan.md', ' Goal: $ARGUMENTS', ''),
    red: { [loop.plan]: 'command expanded', [loop.unplanned]: 'every request is answered' },
    green: [loop.explore],
  },
  'command that suggests no next step': {
    plant: (copy) => copy.edit('plugins/agent-loop/commands/code.md', /When all of them are green.*/, ''),
    red: { [loop.code]: 'every request is answered' },
    green: [loop.plan],
  },
  'command that does not allow its own tools': {
    plant: (copy) => copy.edit('plugins/agent-loop/commands/commit.md', 'Bash(git commit:*)', 'Bash(git commit:_)'),
    red: { [loop.commit]: 'permission' },
    green: [loop.explore],
  },
  'manifest broken': {
    plant: (copy) => copy.edit('plugins/agent-loop/.claude-plugin/plugin.json', '"version": "1.0.0",', '"version":'),
    red: { [loop.alone]: 'plugins loaded', [loop.plan]: 'command expanded' },
    green: [epti.verify],
  },
  'agent without front matter': {
    plant: (copy) => copy.edit('plugins/agent-loop/agents/loop-guide.md', /^---[\s\S]*?---\n/, ''),
    // It loads all the same, with every tool there is.
    red: { [loop.noHands]: 'file', [loop.plan]: 'plugins are sound' },
  },
  'skill missing': {
    plant: (copy) => copy.remove('plugins/agent-loop/skills/map-the-code'),
    red: { [loop.skill]: 'tools: calls' },
    green: [loop.explore],
  },
  'server path wrong': {
    plant: (copy) => copy.edit('plugins/visual-iteration/.mcp.json', 'browser-tools.mjs', 'browser.mjs'),
    red: { [visual.server]: 'MCP server up', [visual.feedback]: 'plugins are sound' },
  },
  'server tool renamed': {
    plant: (copy) => {
      copy.edit('plugins/visual-iteration/servers/mock-browser.mjs', "name: 'screenshot'", "name: 'capture'");
      copy.edit('plugins/visual-iteration/servers/mock-browser.mjs', 'async screenshot(', 'async capture(');
    },
    red: { [visual.screenshot]: 'tools: calls' },
    green: [visual.server],
  },
  'feedback may be vague': {
    plant: (copy) => copy.edit('plugins/visual-iteration/commands/feedback.md', / A sentence like .*/, ''),
    red: { [visual.vague]: 'specific-feedback' },
    green: [visual.feedback],
  },
  'blocking hook ends with 1': {
    plant: (copy) => copy.edit('plugins/promptctl/hooks/promptctl.mjs', 'exitCode = 2', 'exitCode = 1'),
    red: { [promptctl.blocks]: 'hook', [promptctl.broken]: 'outcome' },
    green: [promptctl.rules],
  },
  'one event unwired': {
    plant: (copy) => copy.edit('plugins/promptctl/hooks/hooks.json', '"UserPromptExpansion"', '"Setup"'),
    red: { [promptctl.log]: 'hook', [promptctl.blocks]: 'outcome' },
    green: [promptctl.rules],
  },
};

export const marketplacePlugins: Catalogue = { subject: 'plugin', base: MARKETPLACE, faults, sound: {} };
