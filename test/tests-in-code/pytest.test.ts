import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Pytest, preparePytest } from '../helpers/pytest.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/write-files.js';

const pytest = preparePytest();
const run: Pytest['run'] = (...args) => pytest?.run(...args) ?? Promise.reject(new Error('there is no Python'));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pytest-tests-')));

afterAll(() => {
  pytest?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const SCENARIO = `[[responses]]
pattern = { type = "contains", text = "hi" }
response = { text = "Hello.", tool_calls = [{ tool = "Write", input = { file_path = "a.txt", content = "x" } }] }
`;

const HOUSE = `export default { understudy: 'check/1', fields: { lit: { description: 'There is light.', expects: 'boolean',
  judge: ({ text }, lit) => ({ passed: (text === 'Hello.') === lit, expected: lit ? 'light' : 'no light', seen: text, fix: 'Turn it off.' }) } } };
`;

const REHEARSAL = `name = "greeting"
stage = "sim"
[[responses]]
pattern = { type = "any" }
response = "Hello."
[[steps]]
send = "hi"
expect = { says = "Hello" }
`;

const GREEN = `import os
import subprocess
import sys
import urllib.request
import json

import pytest

pytestmark = [pytest.mark.stage("sim"), pytest.mark.understudy(scenario="hi.toml")]


def test_turn(conversation):
    turn = conversation.send("hi")
    assert (turn.ok, turn.text, turn.tools[0].tool, turn.tools[0].status) == (True, "Hello.", "Write", "ok")
    assert turn.files[0].path == "a.txt" and (conversation.folder / "a.txt").read_text() == "x"
    turn.expect(tools={"all": ["Write"]}, files=[{"path": "a.txt", "change": "created"}])
    turn.expect_not(tools={"all": ["Bash"]})
    conversation.expect(says="Hello")


@pytest.mark.understudy(checks={"house": "house.mjs"})
def test_own_check(conversation):
    conversation.send("hi").expect(house={"lit": True})


@pytest.mark.understudy(workflow="agent-loop", scenario={"responses": [
    {"pattern": {"type": "any"}, "response": "Looking. Next, run /plan."}]})
def test_stage(conversation):
    assert conversation.send("explore the code").stage == "idle"


SPOKEN = pytest.mark.understudy(scenario={"responses": [{"pattern": {"type": "any"}, "response": "Hello."}]})


@SPOKEN
@pytest.mark.agent("claude", "codex")
def test_each_agent(conversation, understudy_options):
    assert conversation.send("hi").ok
    assert understudy_options["agent"] in ("claude", "codex")


def test_own_process(agents_on_path):
    out = subprocess.run(["claude", "-p", "hi there"], capture_output=True, text=True)
    assert out.stdout == "Hello.\\n"
    assert [(call.agent, call.prompt) for call in agents_on_path.calls] == [("claude", "hi there")]
    agents_on_path.expect(calls={"count": 1})


@SPOKEN
def test_model_by_environment(scripted_model):
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}
    headers = {"content-type": "application/json", "x-api-key": os.environ["ANTHROPIC_API_KEY"]}
    url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages"
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as answer:
        assert json.load(answer)["content"][0]["text"] == "Hello."
    assert scripted_model.calls[0].agent == "anthropic-messages"


def test_program(program, project):
    project.write("in.txt", "hi")
    run = program.run("claude --dangerously-skip-permissions -p \\"$(cat in.txt)\\"")
    assert (run.code, run.stdout, run.calls[0].prompt) == (0, "Hello.", "hi")
    run.expect(calls={"count": 1, "agent": "claude"}, files=[{"path": "a.txt"}])
    program.run("claude doctor || true").expect(unsupported="any")


def test_seed_fixtures(harness_client, test_project, test_session):
    assert test_project("cli", "python")["language"] == "python"
    assert harness_client.call_tool("send_prompt", {"session_id": test_session, "prompt": "hi"})
`;

import { makesLongProofs } from '../helpers/seeded.js';

const RED = `import subprocess

import pytest

pytestmark = [pytest.mark.stage("sim"), pytest.mark.understudy(scenario="hi.toml")]


def test_expectation(conversation):
    conversation.send("hi").expect(tools={"all": ["Bash"]})


def test_plain_assertion(conversation):
    assert conversation.send("hi").text == "Bye."


def test_negation(conversation):
    conversation.send("hi").expect_not(says="Hello")


@pytest.mark.understudy(checks={"house": "house.mjs"})
def test_own_check(conversation):
    conversation.send("hi").expect(house={"lit": False})


@pytest.mark.understudy(checks={"house": "nowhere.mjs"})
def test_no_check(conversation):
    pass


def test_negated_program(program):
    program.run("claude --dangerously-skip-permissions -p hi").expect_not(exit_code=0)


def test_unused(conversation):
    pass


@pytest.mark.understudy(allow_unused=True)
def test_unanswered(conversation):
    conversation.send("what?")


def test_calls(agents_on_path):
    subprocess.run(["claude", "-p", "hi"], capture_output=True)
    agents_on_path.expect(calls={"count": 2})


def test_not_in_place(program):
    program.run("claude -p hi; codex exec hi; true").expect(calls={"count": 1})


def test_program(program):
    program.run("claude -p hi; exit 3").expect(calls={"count": 1})


def test_unsupported(program):
    program.run("claude -p hi; claude doctor || true")


def test_misspelled(conversation):
    conversation.send("hi").expect(toolz=["Write"])


@pytest.mark.understudy(scenario="none.toml")
def test_no_scenario(conversation):
    pass


@pytest.mark.understudy(isolation="moon")
def test_isolation(conversation):
    pass


@pytest.mark.understudy(scenaro="hi.toml")
def test_marker(conversation):
    pass
`;

describe.skipIf(pytest === undefined)('pytest-understudy', () => {
  writeFiles(folder, {
    'green/test_green.py': GREEN,
    'green/house.mjs': HOUSE,
    'red/house.mjs': HOUSE,
    'green/hi.toml': SCENARIO,
    'green/a.rehearsal.toml': REHEARSAL,
    'green/b.rehearsal.yaml': readFileSync('examples/formats/door.rehearsal.yaml', 'utf8'),
    'green/c.rehearsal.mjs': readFileSync('examples/formats/door.rehearsal.mjs', 'utf8'),
    'green/known.rehearsal.toml': `expected_failure = "issue 7"\n${REHEARSAL.replace('says = "Hello"', 'says = "Bye"')}`,
    'red/test_red.py': RED,
    'red/hi.toml': SCENARIO,
    'red/a.rehearsal.toml': REHEARSAL.replace('says = "Hello"', 'says = "Bye"'),
    'red/broken.rehearsal.toml': REHEARSAL.replace('send =', 'sent ='),
    ...fromPage(),
    'bin/codex': '#!/bin/sh\necho real\n',
  });
  chmodSync(join(folder, 'bin/codex'), 0o755);
  const PATH = `${join(folder, 'bin')}:${process.env['PATH']}`;

  it('passes sound tests, in two processes at once', async () => {
    const { stdout, code } = await run(join(folder, 'green'), [
      '-n',
      '2',
      '-q',
      '--understudy-stage',
      'sim',
      '--understudy-isolation',
      'none',
    ]);
    expect(stdout).toMatch(/13 passed, 1 xfailed/);
    expect(code).toBe(0);
  });

  it('fails each faulty test for its reason', async () => {
    const { stdout, code } = await run(join(folder, 'red'), ['-q'], { PATH });
    expect(code).toBe(1);
    expect(stdout).toMatch(/14 failed, 4 errors/);
    const told = sections(stdout);
    expect(told('test_expectation')).toContain('expected  all of Bash\nE         seen      Write');
    expect(told('test_expectation')).toContain('• Write {"file_path":"a.txt","content":"x"}');
    expect(told('test_plain_assertion')).toMatch(/assert 'Hello.' == 'Bye.'[\s\S]*turn 1\n {2}> hi/);
    expect(told('test_negation')).toContain('expected  not: contains "Hello"');
    expect(told('test_own_check')).toMatch(
      /✗ house\.lit\nE +expected {2}no light\nE +seen {6}Hello\.\nE +fix {7}Turn it off/,
    );
    expect(told('test_no_check')).toMatch(/PART_UNUSABLE|there is no file \S*nowhere\.mjs for a check/);
    expect(told('test_negated_program')).toContain('expected  not: exit code 0');
    expect(told('test_unused')).toMatch(/did not follow the script[\s\S]*responses\[0\] never did/);
    expect(told('test_unanswered')).toMatch(/answers the prompt "what\?"[\s\S]*fix {7}Add a rule/);
    expect(told('test_calls')).toMatch(/expected {2}2 calls\nE +seen {6}1 call/);
    expect(told('test_not_in_place')).toContain('not in place: codex');
    expect(told('test_program')).toMatch(/expected {2}exit code 0\nE +seen {6}exit code 3/);
    expect(told('test_unsupported')).toContain("claude doctor: error: the stand-in has no command 'doctor'");
    expect(told('test_misspelled')).toMatch(/`toolz` is not a field here[\s\S]*Change it to `tools`/);
    expect(told('test_no_scenario')).toMatch(/^FILE_NOT_FOUND: there is no file \S+none.toml\nfix: Check the path/m);
    expect(told('test_isolation')).toContain('"moon" is not an isolation');
    expect(told('test_marker')).toContain('the marker understudy cannot take scenaro; it takes agent, stage,');
    expect(told('rehearsal a')).toMatch(/a\.rehearsal\.toml:8:12[\s\S]*expected {2}contains "Bye"/);
    expect(told('rehearsal broken')).toMatch(/broken\.rehearsal\.toml:7:1[\s\S]*`sent` is not a field here/);
  });

  it('says what to do where understudy does not start', async () => {
    const { stdout } = await run(join(folder, 'red'), ['-q', '-k', 'test_unused'], {
      UNDERSTUDY_COMMAND: '/nowhere/understudy',
    });
    expect(stdout).toMatch(/UNDERSTUDY_NOT_STARTED: `\/nowhere\/understudy pipe` did not start[\s\S]*fix: Try/);
  });

  if (makesLongProofs)
    it('tests a service on the Agent SDK, with the real Claude Code', async (context) => {
      await realAgent('claude', context);
      const { stdout, code } = await run(resolve('examples/pytest'), ['-q']);
      expect(stdout).toMatch(/5 passed/);
      expect(code).toBe(0);
    });
});

/** The test of docs/pytest.md, with a plugin for it. */
function fromPage(): Record<string, string> {
  const [, code = ''] = /```python\n([\s\S]*?)```/.exec(readFileSync('docs/pytest.md', 'utf8')) ?? [];
  return { 'green/test_explore.py': code, 'green/my-plugin/commands/explore.md': 'Look at $ARGUMENTS.\n' };
}

/** The text below the title of each failed test. */
function sections(output: string): (name: string) => string {
  const parts = output.split(/^_+ (?:ERROR at setup of )?(.+?) _+$/m);
  return (name) => parts[parts.indexOf(name) + 1] ?? '';
}
