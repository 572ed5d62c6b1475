import { TOOLBOX } from '../copy.js';
import type { Catalogue, Fault, Sound } from '../fault.js';

const toml = (name: string) => `rehearsals/${name}.rehearsal.toml`;

/** Another behavior of the agent, or another expectation: each kind of check must be able to fail. */
const change = (rehearsal: string, from: string | RegExp, to: string, check: string): Fault => ({
  plant: (copy) => copy.edit(toml(rehearsal), from, to),
  red: { [rehearsal]: check },
});

const faults: Record<string, Fault> = {
  'the model fails where a turn should complete': change(
    'skill',
    /\[responses\.response\]\n[\s\S]*?\n\n/,
    'failure = { type = "context_length" }\n\n',
    'outcome',
  ),
  'the turn completes where it should fail': change('gate', 'says = "It is locked."', 'outcome = "failed"', 'outcome'),
  'it fails for another reason': change('talk', '"unknown_command"', '"api_error"', 'outcome'),
  'another text': change('server', 'response = "It came back."', 'response = "It went away."', 'says'),
  'a text that should not be': change('shell', 'says_not = "Sawn"', 'says_not = "no saw"', 'does not say'),
  'none of some words': change('talk', 'any = ["screws"]', 'any = ["glue"]', 'keywords'),
  'one of all words is missing': change('command', '"Good morning", "Ada"', '"Good morning", "Bob"', 'keywords'),
  'a word that should not be': change('talk', '"Here are screws."', '"Here are screws and nails."', 'keywords: none'),
  'a word that is negated': change('talk', '"Here are screws."', '"There are no screws."', 'keywords'),
  'a command that is not suggested': change('talk', ' Next, run `/plan`.', '', 'command-suggested'),
  'data with a field missing': change('talk', '"width": 80, ', '', 'JSON output'),
  'data of another type': change('talk', '"width": 80', '"width": "80"', 'JSON output'),
  'data that is no JSON': change('talk', '"screw"] }', '"screw"]', 'JSON output'),
  'feedback that is too vague': change('talk', /\n2\. .*/, '\n2. Make the title nicer.', 'specific-feedback'),
  'a tool that was not used': change('agent', 'order = ["Agent", "Read"]', 'all = ["Glob"]', 'tools: all'),
  'none of some tools was used': change('agent', 'order = ["Agent", "Read"]', 'any = ["Glob", "Grep"]', 'tools: any'),
  'a tool that should not be used': change('agent', 'none = ["Write"]', 'none = ["Read"]', 'tools: none'),
  'a tool by its general name that should not be used': change(
    'agent',
    'none = ["Write"]',
    'none = ["read"]',
    'tools: none',
  ),
  'tools in another order': change('talk', '["Read", "Bash"]', '["Bash", "Read"]', 'tools: order'),
  'a tool that was used too often': change(
    'talk',
    '  { tool = "Read"',
    '  { tool = "Read", input = { file_path = "{{cwd}}/old.txt" } },\n  { tool = "Read"',
    'tools: repeats',
  ),
  'a tool that failed': change('command', 'touch {{name}}', 'exit 3', 'tools: calls'),
  'a tool that did not fail': change('shell', 'exit 3"', 'exit 0"', 'tools: calls'),
  'a tool with another input': change(
    'agent',
    'calls = [{ tool = "Read", status = "ok" }]',
    'calls = [{ tool = "Read", input = { file_path = "/nowhere" } }]',
    'tools: calls',
  ),
  'a command that expands to something else': change(
    'command',
    'expands_to = "Greet Ada',
    'expands_to = "Greet Bob',
    'command expanded',
  ),
  'a hook that should not fire': change('gate', 'on = "Write", blocked = false', 'on = "Write", fired = false', 'hook'),
  'a hook that fires for another tool': change(
    'gate',
    'on = "Write", blocked = false',
    'on = "Edit", blocked = false',
    'hook',
  ),
  'a hook that ends with another code': change('gate', 'exit_code = 2', 'exit_code = 0', 'hook'),
  'a question that should not be asked': change(
    'shell',
    'asked = true, decision = "allow"',
    'asked = false',
    'permission',
  ),
  'a question that is not asked': change('command', 'asked = false', 'asked = true', 'permission'),
  'a question with another answer': change('shell', 'decision = "allow" }', 'decision = "deny" }', 'permission'),
  'a user who refuses': {
    plant: (copy) => copy.edit(toml('shell'), 'permissions = { Bash = "allow" }', 'permissions = { Bash = "deny" }'),
    red: { shell: 'commits' },
  },
  'a file that is not made': change('gate', 'path = "notes.txt"', 'path = "note.txt"', 'file'),
  'a file with other words': change('gate', 'contains = "oak"', 'contains = "elm"', 'file'),
  'a file that changes though it should not': change(
    'talk',
    'response = "Here are screws."',
    'response = { text = "Here are screws.", tool_calls = [{ tool = "Bash", input = { command = "rm kept.txt" } }] }',
    'file',
  ),
  'a file that is changed instead of deleted': change('talk', 'rm old.txt', 'echo x > old.txt', 'file'),
  'no commit': change('shell', " && git commit -q -m 'feat: two boards'", '', 'commits'),
  'two commits': change(
    'shell',
    "-m 'feat: two boards'",
    "-m 'feat: two boards' && git commit -q --allow-empty -m 'feat: more'",
    'commits',
  ),
  'a commit with another message': change('shell', "-m 'feat: two boards'", "-m 'feat: three boards'", 'commits'),
  'a commit that is not conventional': change('shell', /feat: two boards/g, 'two boards', 'commits'),
  'a commit of another file': change('shell', 'git add plan.txt &&', 'touch b.txt && git add b.txt &&', 'commits'),
  'more turns of the model than allowed': change(
    'talk',
    /response = ('\{ "width".*')/,
    `response = { text = '{ "width": 80 }', tool_calls = [{ tool = "Read", input = { file_path = "{{cwd}}/kept.txt" } }] }`,
    'budget',
  ),
  'a plugin that is not loaded': change(
    'skill',
    'says = "Two millimetres."',
    'plugins = ["toolbox", "workbench"]',
    'plugins loaded',
  ),
  'a server that is not there': change('server', '"plugin:toolbox:echo"', '"plugin:toolbox:bell"', 'MCP server up'),
  'a rule that nothing uses': {
    plant: (copy) =>
      copy.append(toml('gate'), '\n[[responses]]\npattern = { type = "exact", text = "x" }\nresponse = "y"\n'),
    red: { gate: 'every rule is used' },
  },
  'a prompt that nothing answers': {
    plant: (copy) => copy.append(toml('gate'), '\n[[steps]]\nsend = "And now?"\n'),
    red: { gate: 'every request is answered' },
  },
  'a result that `then` does not expect': change('server', '"echo: this"', '"echo: that"', 'every request is answered'),
  'a subagent that nothing answers': change(
    'agent',
    'text = "Read plan.txt."',
    'text = "Read the plan."',
    'every request is answered',
  ),
};

const sound: Record<string, Sound> = {
  'words in another case': {
    plant: (copy) => copy.edit(toml('command'), '"Good morning", "Ada"', '"GOOD MORNING", "ada"'),
    green: ['command'],
  },
  'a tool by its general name': {
    plant: (copy) => copy.edit(toml('agent'), 'order = ["Agent", "Read"]', 'order = ["Task", "read"]'),
    green: ['agent'],
  },
  'a rule that may be unused': {
    plant: (copy) =>
      copy.append(
        toml('gate'),
        '\n[[responses]]\noptional = true\npattern = { type = "exact", text = "x" }\nresponse = "y"\n',
      ),
    green: ['gate'],
  },
};

export const toolboxRehearsals: Catalogue = { subject: 'rehearsal', base: TOOLBOX, faults, sound };
