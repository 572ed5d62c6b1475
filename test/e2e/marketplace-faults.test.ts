import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createScratch } from '../../src/process/scratch.js';
import { MarketplaceCopy, runRehearsals, type Verdict, verdictsOf } from '../helpers/marketplace-copy.js';
import { realAgent } from '../helpers/real-agents.js';

/**
 * The test of the tests: faults are planted, each into a copy of the marketplace of its own, and
 * exactly the right rehearsals must turn red, by the right check.
 */
interface Fault {
  plant: (copy: MarketplaceCopy) => void;
  /** What must fail, and a check that must be among those that failed. */
  red: Record<string, string>;
  /** Neighbours of the same plugin, and others, that must stay green. */
  green: string[];
}

const epti = {
  hook: 'installation/epti-with-its-hook',
  write: 'commands/epti-write-tests',
  verify: 'commands/epti-verify-fail',
  commitTests: 'commands/epti-commit-tests',
  implement: 'commands/epti-implement',
  commitCode: 'commands/epti-commit-code',
  refused: 'agents/code-before-tests-is-refused',
  documents: 'agents/gate-knows-documents',
};
const loop = {
  alone: 'installation/agent-loop-alone',
  explore: 'commands/agent-loop-explore',
  plan: 'commands/agent-loop-plan',
  code: 'commands/agent-loop-code',
  commit: 'commands/agent-loop-commit',
  noHands: 'agents/guide-has-no-hands',
  unplanned: 'agents/unplanned-code-is-named',
  skill: 'agents/skill-gives-the-order',
};
const visual = {
  server: 'installation/visual-iteration-with-its-server',
  screenshot: 'commands/visual-iteration-screenshot',
  feedback: 'commands/visual-iteration-feedback',
  refine: 'commands/visual-iteration-refine',
  commit: 'commands/visual-iteration-commit-visual',
  vague: 'agents/vague-wish-is-measured',
};
const promptctl = {
  log: 'commands/promptctl-log',
  rules: 'commands/promptctl-rules',
  blocks: 'agents/promptctl-blocks',
  broken: 'agents/broken-rules-hold-everything',
};

const HOOKS = 'plugins/epti/hooks/hooks.json';
const GATE = 'plugins/epti/hooks/tests-first.mjs';

/** Faults of plugins: the real Claude Code must show them. */
const pluginFaults: Record<string, Fault> = {
  'hook unwired': {
    plant: (copy) => copy.edit(HOOKS, '"PreToolUse"', '"Setup"'),
    red: { [epti.hook]: 'hook', [epti.write]: 'hook', [epti.implement]: 'hook', [epti.refused]: 'tools: calls' },
    green: [epti.verify],
  },
  'hook ends with 1 instead of blocking': {
    plant: (copy) => copy.edit(GATE, /process\.stdout\.write\([\s\S]*\);\n\}/, 'process.exitCode = 1;\n}'),
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
    red: { [loop.noHands]: 'file' },
    green: [loop.plan],
  },
  'skill missing': {
    plant: (copy) => copy.remove('plugins/agent-loop/skills/map-the-code'),
    red: { [loop.skill]: 'tools: calls' },
    green: [loop.explore],
  },
  'server path wrong': {
    plant: (copy) => copy.edit('plugins/visual-iteration/.mcp.json', 'browser-tools.mjs', 'browser.mjs'),
    red: { [visual.server]: 'MCP server up', [visual.screenshot]: 'MCP server up' },
    green: [visual.feedback],
  },
  'server tool renamed': {
    plant: (copy) => {
      copy.edit('plugins/visual-iteration/servers/mock-browser.mjs', "name: 'screenshot'", "name: 'capture'");
      copy.edit('plugins/visual-iteration/servers/mock-browser.mjs', 'async screenshot(', 'async capture(');
    },
    red: { [visual.screenshot]: 'tools: order' },
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

const toml = (name: string) => `rehearsals/${name}.rehearsal.toml`;

/** Faults of what the model does or the user says: the stand-in shows them as well. */
const scriptFaults: Record<string, Fault> = {
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

const scratch = createScratch('marketplace-faults');
afterAll(() => scratch.remove());

/** Plants all faults, each in its own copy, and runs what they ask for in one go, when the first is asked for. */
function runAll(faults: Record<string, Fault>, stage: string): (name: string) => Promise<Map<string, Verdict>> {
  let pending: Promise<Map<string, Map<string, Verdict>>> | undefined;
  const run = async () => {
    const planted = Object.entries(faults).map(([name, fault], index) => {
      const copy = new MarketplaceCopy(join(scratch.path, `${stage}-${index}`));
      fault.plant(copy);
      return { name, fault, copy };
    });
    const paths = planted.flatMap(({ fault, copy }) =>
      [...Object.keys(fault.red), ...fault.green].map((rehearsal) => copy.rehearsal(rehearsal)),
    );
    const result = await runRehearsals(paths, stage, scratch.path);
    return new Map(planted.map(({ name, copy }) => [name, verdictsOf(result, copy)]));
  };
  return async (name) => {
    pending ??= run();
    return (await pending).get(name) ?? new Map();
  };
}

function expectFault(verdicts: Map<string, Verdict>, { red, green }: Fault): void {
  const status = Object.fromEntries([...verdicts].map(([rehearsal, verdict]) => [rehearsal, verdict.status]));
  expect(status).toEqual({
    ...Object.fromEntries(Object.keys(red).map((rehearsal) => [rehearsal, 'failed'])),
    ...Object.fromEntries(green.map((rehearsal) => [rehearsal, 'passed'])),
  });
  for (const [rehearsal, check] of Object.entries(red)) {
    expect(verdicts.get(rehearsal)?.failed, rehearsal).toContain(check);
  }
}

const MINUTES = { timeout: 300_000 };

describe('a fault of a plugin, on the real Claude Code', () => {
  const verdicts = runAll(pluginFaults, 'scripted');
  it.for(Object.entries(pluginFaults))('%s', MINUTES, async ([name, fault], context) => {
    await realAgent('claude', context);
    expectFault(await verdicts(name), fault);
  });
});

describe('a fault of a script, on the stand-in', () => {
  const verdicts = runAll(scriptFaults, 'sim');
  it.for(Object.entries(scriptFaults))('%s', MINUTES, async ([name, fault]) => {
    expectFault(await verdicts(name), fault);
  });
});
