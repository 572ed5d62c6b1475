import { MARKETPLACE } from '../copy.js';
import type { Catalogue, Fault } from '../fault.js';
import { epti, loop, promptctl, visual } from './marketplace-names.js';

const toml = (name: string) => `rehearsals/${name}.rehearsal.toml`;

const faults: Record<string, Fault> = {
  'tool missing': {
    plant: (copy) => copy.edit(toml(loop.explore), /\n {2}\{ tool = "Glob".*/, ''),
    red: { [loop.explore]: 'tools: all' },
    green: [loop.plan],
  },
  'keyword missing': {
    plant: (copy) => copy.edit(toml(loop.explore), 'A systematic investigation of', 'A look at'),
    red: { [loop.explore]: 'keywords' },
    green: [loop.unplanned],
  },
  'suggestion missing': {
    plant: (copy) => copy.edit(toml(loop.plan), ' If you agree, go on with {{next}}.', ''),
    red: { [loop.plan]: 'command-suggested' },
    green: [loop.explore],
  },
  'stage skipped': {
    plant: (copy) =>
      copy.edit(toml('workflows/agent-loop-happy-path'), 'send = "/plan weeks"', 'send = "/explore weeks"'),
    red: { 'workflows/agent-loop-happy-path': 'workflow' },
    green: ['workflows/agent-loop-skipped-stage'],
  },
  'commit message wrong': {
    plant: (copy) => copy.edit(toml('workflows/agent-loop-happy-path'), "-m 'feat: know weeks'", "-m 'Weeks'"),
    red: { 'workflows/agent-loop-happy-path': 'commits' },
    green: ['workflows/agent-loop-second-round'],
  },
  'feedback vague': {
    plant: (copy) =>
      copy.edit(
        toml(visual.feedback),
        /1\. `\.add button`[^"]*/,
        'Improve the spacing, padding and border-radius and font-size.',
      ),
    red: { [visual.feedback]: 'specific-feedback' },
    green: [visual.vague],
  },
  'never pixel-perfect': {
    plant: (copy) => copy.edit(toml('flows/visual-iteration-whole'), 'the page is pixel-perfect now', 'fine'),
    red: { 'flows/visual-iteration-whole': 'keywords' },
    green: [],
  },
  'test never run': {
    plant: (copy) =>
      copy.edit(toml('workflows/epti-discipline'), 'command = "python3 -m unittest"', 'command = "true"'),
    red: { 'workflows/epti-discipline': 'tools: calls' },
    green: ['workflows/epti-skipped-stage'],
  },
  'code that does not pass': {
    plant: (copy) => copy.edit('rehearsals/fixtures/answers/slugs.py', 'slug += "-" + word', 'slug += "_" + word'),
    red: { [epti.implement]: 'tools: calls', 'workflows/epti-discipline': 'tools: calls' },
    green: [epti.documents],
  },
  'file not written': {
    plant: (copy) =>
      copy.edit(toml(epti.implement), 'file_path = "{{cwd}}/slugs.py"', 'file_path = "{{cwd}}/slug.txt"'),
    red: { [epti.implement]: 'file' },
    green: [epti.refused],
  },
  'commit without the tests': {
    plant: (copy) =>
      copy.edit(toml('workflows/epti-discipline'), 'git add tests && git commit', 'git commit --allow-empty'),
    red: { 'workflows/epti-discipline': 'commits' },
    green: [],
  },
  'rule never used': {
    plant: (copy) =>
      copy.append(toml(loop.unplanned), '\n[[responses]]\npattern = { type = "exact", text = "x" }\nresponse = "y"\n'),
    red: { [loop.unplanned]: 'every rule is used' },
    green: [loop.plan],
  },
  'prompt that nothing answers': {
    plant: (copy) => copy.append(toml(loop.unplanned), '\n[[steps]]\nsend = "And now?"\n'),
    red: { [loop.unplanned]: 'every request is answered' },
    green: [loop.explore],
  },
  'permission granted after all': {
    plant: (copy) => copy.edit(toml('flows/denied-permission'), '{ Bash = "deny" }', '{ Bash = "allow" }'),
    red: { 'flows/denied-permission': 'permission' },
    green: ['flows/missing-file'],
  },
  'command spelt right after all': {
    plant: (copy) => copy.edit(toml('flows/unknown-command'), 'send = "/exlpore', 'send = "/explore'),
    red: { 'flows/unknown-command': 'outcome' },
    green: ['flows/change-of-subject'],
  },
  'rule gone': {
    plant: (copy) => copy.edit(toml(promptctl.blocks), '"contains": "git push"', '"contains": "git pull"'),
    red: { [promptctl.blocks]: 'hook' },
    green: [promptctl.broken],
  },
};

export const marketplaceScripts: Catalogue = { subject: 'rehearsal', base: MARKETPLACE, faults, sound: {} };
