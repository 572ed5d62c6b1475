import { TOOLBOX } from '../copy.js';
import type { Catalogue, Fault, Sound } from '../fault.js';

const PLUGIN = 'plugins/toolbox';
const HOOKS = `${PLUGIN}/hooks/hooks.json`;
const REVIEW = `${PLUGIN}/hooks/review.sh`;
const CONTEXT = `${PLUGIN}/hooks/context.sh`;
const SKILL = `${PLUGIN}/skills/measure/SKILL.md`;
const READER = `${PLUGIN}/agents/reader.md`;
const REHEARSAL = 'rehearsals/told.rehearsal.toml';

const faults: Record<string, Fault> = {
  'a hook that gives another reason': {
    plant: (copy) => copy.edit(REVIEW, 'Sweep the floor before', 'Lock the door before'),
    red: { told: 'hook' },
  },
  'a hook whose objection is no JSON': {
    plant: (copy) => copy.edit(REVIEW, '"reason": "Sweep', '"reason": Sweep'),
    red: { told: 'told: message' },
  },
  'a hook that objects under another key': {
    plant: (copy) => copy.edit(REVIEW, '"decision"', '"verdict"'),
    red: { told: 'told: message' },
  },
  'a hook that prints to the wrong stream': {
    plant: (copy) => copy.edit(CONTEXT, 'six."', 'six." >&2'),
    red: { told: 'hook' },
  },
  'a hook that is wired twice': {
    plant: (copy) =>
      copy.edit(
        HOOKS,
        /("PostToolUse": \[\n)(\s+\{.*\})/,
        `"PostToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "\\"\${CLAUDE_PLUGIN_ROOT}\\"/hooks/review.sh" }] },
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "sh \\"\${CLAUDE_PLUGIN_ROOT}\\"/hooks/review.sh" }] }`,
      ),
    red: { told: 'hook' },
  },
  'a skill without its text': {
    plant: (copy) => copy.edit(SKILL, 'Measure twice, and write', 'Write'),
    red: { told: 'told: message' },
  },
  'a skill with another description': {
    plant: (copy) => copy.edit(SKILL, 'How lengths are measured here', 'How boards are sawn'),
    red: { told: 'told: system' },
    unseen: { sim: 'the stand-in has no system prompt, so it is unjudged' },
  },
  'a skill that is not used': {
    plant: (copy) => copy.edit(REHEARSAL, '  { tool = "Skill", input = { skill = "toolbox:measure" } },\n', ''),
    red: { told: 'skills: all' },
  },
  'an agent with one tool more': {
    plant: (copy) => copy.edit(READER, 'tools: Read', 'tools: Read, Write'),
    red: { told: 'not told: tools' },
  },
  'an agent that is not used': {
    plant: (copy) => copy.edit(REHEARSAL, 'subagents = ["reader"]', 'subagents = ["writer"]'),
    red: { told: 'subagents: all' },
  },
  'a variable that is not set': {
    plant: (copy) => copy.edit(REHEARSAL, 'env = { WOOD = "oak" }', 'env = { WOOD = "elm" }'),
    red: { told: 'told: message' },
  },
  'instructions without a rule': {
    plant: (copy) => copy.edit(REHEARSAL, '"Wear gloves.\\n"', '"Wear boots.\\n"'),
    red: { told: 'told: message' },
  },
  'instructions of another folder': {
    plant: (copy) => copy.edit('rehearsals/folder.rehearsal.toml', '"shed/CLAUDE.md"', '"attic/CLAUDE.md"'),
    red: { folder: 'told: message' },
    unseen: { sim: 'the stand-in refuses the instructions of a folder' },
  },
  'hooks in another order': {
    plant: (copy) =>
      copy.edit(REHEARSAL, '["UserPromptSubmit", "PostToolUse:Bash"]', '["PostToolUse:Bash", "UserPromptSubmit"]'),
    red: { told: 'hooks: order' },
  },
};

const sound: Record<string, Sound> = {
  'nothing changed': { plant: () => undefined, green: ['told'] },
};

/** What reaches the model: the words of hooks, skills and agents. */
export const toolboxTold: Catalogue = { subject: 'told', base: TOOLBOX, faults, sound };
