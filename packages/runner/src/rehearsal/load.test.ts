import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createScratch, InvalidDocumentError, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { environmentOf } from './agent-environment.js';
import { loadRehearsal } from './load.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('load');
});
afterEach(() => scratch.remove());

const RULE = '[[responses]]\npattern = { type = "any" }\nresponse = "Fine."\n';

function write(text: string, name = 'a.rehearsal.toml'): string {
  const file = join(scratch.path, name);
  writeFileSync(file, text);
  return file;
}

/** The findings of a bad file, as `line code`. */
function findings(text: string): string[] {
  try {
    loadRehearsal(write(text));
  } catch (error) {
    if (!(error instanceof InvalidDocumentError)) throw error;
    return error.problems.map(({ location, code }) => `${location.line} ${code}`);
  }
  return [];
}

/** The same of one step with this expectation, which stands in line 7. */
const expecting = (expectation: string, top = '') =>
  findings(`${top}\n${RULE}[[steps]]\nsend = "hello"\n[steps.expect]\n${expectation}\n`);

it('takes a whole rehearsal', () => {
  mkdirSync(join(scratch.path, 'plugin'));
  const rehearsal = loadRehearsal(
    write(`name = "x"\nplugins = ["plugin"]\nworkflow = "epti"\n${RULE}[[steps]]\nsend = "hello"\n`),
  );
  expect(rehearsal).toMatchObject({ name: 'x', document: { steps: [{ send: 'hello' }] }, warnings: [] });
  expect(rehearsal.scenario.document).toEqual({
    name: 'x',
    responses: [{ pattern: { type: 'any' }, response: 'Fine.' }],
  });
});

it('is named by its file where it has no name', () => {
  const file = write(`${RULE}[[steps]]\nsend = "hello"\n`);
  expect(loadRehearsal(file).name).toBe(file);
});

it('takes the rules of a scenario file', () => {
  write(RULE, 'rules.toml');
  const { scenario } = loadRehearsal(write('scenario = "rules.toml"\n[[steps]]\nsend = "hello"\n'));
  expect(scenario.document.responses).toHaveLength(1);
});

it('tells a syntax error with its line', () => {
  expect(findings('name = "x"\nsteps = [\n')).toEqual(['3 DOCUMENT_SYNTAX']);
});

it.each([
  ['no steps', RULE, ['1 MISSING_FIELD']],
  ['an empty list of steps', `steps = []\n${RULE}`, ['1 INVALID_VALUE']],
  ['a field that is none', `stepz = 1\n${RULE}[[steps]]\nsend = "x"\n`, ['1 UNKNOWN_FIELD']],
  ['an empty prompt', `${RULE}[[steps]]\nsend = ""\n`, ['5 INVALID_VALUE']],
  ['an unknown stage', `stage = "simm"\n${RULE}[[steps]]\nsend = "x"\n`, ['1 UNKNOWN_VALUE']],
  ['an unknown agent', `agent = ["claude", "claud"]\n${RULE}[[steps]]\nsend = "x"\n`, ['1 AGENT_UNKNOWN']],
  ['a plugin that is not there', `plugins = ["none"]\n${RULE}[[steps]]\nsend = "x"\n`, ['1 FOLDER_NOT_FOUND']],
  ['a scenario that is not there', 'scenario = "none.toml"\n[[steps]]\nsend = "x"\n', ['1 FILE_NOT_FOUND']],
  ['an unknown workflow', `workflow = "eptl"\n${RULE}[[steps]]\nsend = "x"\n`, ['1 WORKFLOW_UNKNOWN']],
  ['half a project', `project = { type = "cli" }\n${RULE}[[steps]]\nsend = "x"\n`, ['1 MISSING_FIELD']],
  [
    'a server of a project that has none',
    `project = { type = "cli", language = "go", serve = true }\n${RULE}[[steps]]\nsend = "x"\n`,
    ['1 WORKSPACE_NO_SERVER'],
  ],
  ['a project folder that is not there', `project.path = "no"\n${RULE}[[steps]]\nsend = "x"\n`, ['1 FOLDER_NOT_FOUND']],
])('refuses %s', (_what, text, expected) => {
  expect(findings(text)).toEqual(expected);
});

it('refuses rules of its own beside a scenario file', () => {
  write(RULE, 'rules.toml');
  expect(findings(`scenario = "rules.toml"\n${RULE}[[steps]]\nsend = "x"\n`)).toEqual(['1 CONFLICTING_FIELDS']);
});

it.each([
  ['fails = true', []],
  ['fails = "no license"\nstart_delay_ms = 5', []],
  ['dies_after = 1', []],
  ['fails = true\ndelay_ms = 5', ['1 CONFLICTING_FIELDS']],
  ['fails = true\ntools = { list = "one" }', ['1 CONFLICTING_FIELDS']],
  ['absent = true\ndies_after = 1', ['1 CONFLICTING_FIELDS']],
])('knows what can go wrong with a server: %s', (table, expected) => {
  expect(findings(`[mcp.issues]\n${table}\n${RULE}[[steps]]\nsend = "x"\n`)).toEqual(expected);
});

it('tells all problems at once, in the order of the file', () => {
  const text = `agent = "claud"\nplugins = ["none"]\n${RULE}[[steps]]\nsend = "x"\nexpect.tools = {}\n`;
  expect(findings(text)).toEqual(['1 AGENT_UNKNOWN', '2 FOLDER_NOT_FOUND', '8 EXPECTS_NOTHING']);
});

it.each([
  ['keywords = {}', 'EXPECTS_NOTHING'],
  ['keywords = { case_sensitive = true }', 'EXPECTS_NOTHING'],
  ['tools = {}', 'EXPECTS_NOTHING'],
  ['tools = { calls = [] }', 'EXPECTS_NOTHING'],
  ['budget = {}', 'EXPECTS_NOTHING'],
  ['hooks = []', 'EXPECTS_NOTHING'],
  ['permissions = []', 'EXPECTS_NOTHING'],
  ['files = []', 'EXPECTS_NOTHING'],
  ['error_handled = false', 'EXPECTS_NOTHING'],
  ['keywords = { any = [] }', 'INVALID_VALUE'],
  ['feedback = { min = 0 }', 'INVALID_VALUE'],
])('refuses %s, which could never fail', (expectation, code) => {
  expect(expecting(expectation)).toEqual([`8 ${code}`]);
});

it.each([
  'reason = "api_error"',
  'commits = { count = 0, message = "feat" }',
  'files = [{ path = "a", change = "unchanged", contains = "x" }]',
  'hooks = [{ event = "Stop", fired = false, blocked = true }]',
  'permissions = [{ tool = "Bash", asked = false, decision = "deny" }]',
])('refuses %s, which contradicts itself', (expectation) => {
  expect(expecting(expectation)).toEqual(['8 CONTRADICTION']);
});

it.each([
  ['workflow = "planning"', '', 'MISSING_FIELD'],
  ['workflow = "plannin"', 'workflow = "agent-loop"', 'WORKFLOW_STAGE_UNKNOWN'],
  ['workflow = { from = "idel", to = "exploring" }', 'workflow = "agent-loop"', 'WORKFLOW_STAGE_UNKNOWN'],
  ['suggests = "/plan the app"', '', 'COMMAND_INVALID'],
  ['says = { type = "regex", pattern = "(" }', '', 'PATTERN_REFUSED'],
  ['command = { expands_to = { type = "regex", pattern = "[" } }', '', 'PATTERN_REFUSED'],
  [
    'tools = { calls = [{ tool = "Bash", input = { command = { type = "regex", pattern = "(" } } }] }',
    '',
    'PATTERN_REFUSED',
  ],
  ['json = { type = "objekt" }', '', 'BAD_JSON_SCHEMA'],
])('refuses %s, which could not be looked at', (expectation, top, code) => {
  expect(expecting(expectation, top)).toEqual([`8 ${code}`]);
});

it('names the new field when `expect` has the old `stage`', () => {
  expect(expecting('stage = "planning"', 'workflow = "agent-loop"')).toEqual(['8 RENAMED_FIELD']);
});

it('allows a workflow stage with its iteration', () => {
  expect(expecting('workflow = "capturing-iteration-2"', 'workflow = "visual-iteration"')).toEqual([]);
});

it.each([
  ['ANTHROPIC_API_KEY = "x"', ['1 ENV_REFUSED']],
  ['HOME = "/tmp"', ['1 ENV_REFUSED']],
  ['https_proxy = "http://127.0.0.1"', ['1 ENV_REFUSED']],
  ['UNDERSTUDY_LOG = "x"', ['1 ENV_REFUSED']],
  ['CLAUDE_CODE_USE_BEDROCK = "1"', ['1 ENV_REFUSED']],
  ['PATH = "bin"', ['1 ENV_REFUSED']],
  ['FOO = ["a"]', ['1 ENV_REFUSED']],
  ['PATH = ["nowhere"]', ['1 FOLDER_NOT_FOUND']],
  ['FOO = "bar", GITHUB_TOKEN = "fake", PATH = ["."]', []],
])('reviews the variables of the agent: %s', (variables, expected) => {
  expect(findings(`env = { ${variables} }\n${RULE}[[steps]]\nsend = "x"\n`)).toEqual(expected);
});

it('puts the folders of PATH before the others, relative to the file', () => {
  const { document, file } = loadRehearsal(
    write(`env = { FOO = "bar", PATH = ["."] }\n${RULE}[[steps]]\nsend = "x"\n`),
  );
  const { FOO, PATH } = environmentOf(document, file);
  expect(FOO).toBe('bar');
  expect(PATH?.split(delimiter)).toEqual([scratch.path, ...(process.env['PATH'] ?? '').split(delimiter)]);
});

it.each([
  'hooks = [{ event = "Stop", fired = false, reason = "x" }]',
  'hooks = [{ event = "Stop", fired = false, count = 2 }]',
])('finds a contradiction: %s', (expectation) => {
  expect(expecting(expectation)).toEqual(['8 CONTRADICTION']);
});

it.each(['skills = {}', 'subagents = {}', 'told = {}', 'told = { agent = "x" }', 'told = { tools = [] }'])(
  'finds what asks for nothing: %s',
  (expectation) => {
    expect(expecting(expectation)).toEqual(['8 EXPECTS_NOTHING']);
  },
);

it.each([
  'hooks = [{ event = "Stop", reason = { type = "regex", pattern = "(" } }]',
  'told = { message = ["a", { type = "regex", pattern = "(" }] }',
  'told_not = { tools = [{ name = "Bash", description = { type = "regex", pattern = "(" } }] }',
])('finds a pattern that cannot be used: %s', (expectation) => {
  expect(expecting(expectation)).toEqual(['8 PATTERN_REFUSED']);
});

it('sends hooks of the start and the end of a session where they fire', () => {
  const part = (name: string, hooks: string) =>
    findings(`[${name}.expect]\nhooks = [${hooks}]\n${RULE}[[steps]]\nsend = "hello"\n`);
  expect(expecting('hooks = [{ event = "SessionStart" }]')).toEqual(['8 HOOK_FIRES_ELSEWHERE']);
  expect(expecting('hooks = [{ event = "SessionEnd", fired = false }]')).toEqual(['8 HOOK_FIRES_ELSEWHERE']);
  expect(expecting('hooks = [{ event = "SessionStart", on = "clear" }, { event = "Stop" }]')).toEqual([]);
  expect(part('start', '{ event = "SessionStart", on = "startup" }')).toEqual([]);
  expect(part('end', '{ event = "SessionEnd" }')).toEqual([]);
  expect(part('start', '{ event = "Stop", fired = false }')).toEqual(['2 HOOK_FIRES_ELSEWHERE']);
  expect(part('end', '{ event = "SessionStart" }')).toEqual(['2 HOOK_FIRES_ELSEWHERE']);
  expect(part('start', '')).toEqual(['2 EXPECTS_NOTHING']);
});
