import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { prepareHarbor } from '../helpers/harbor.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const TALK = `name = "a talk"
[[responses]]
pattern = { type = "exact", text = "look" }
response = { text = "I look.", tool_calls = [{ tool = "Bash", input = { command = "echo here" } }], then = { text = "A helper.", tool_calls = [
  { tool = "Agent", input = { description = "help", prompt = "help me", subagent_type = "general-purpose", run_in_background = false } },
], then = "Done." } }
[[responses]]
pattern = { type = "contains", text = "help me" }
response = "Helped."
[[responses]]
pattern = { type = "contains", text = "fail" }
failure = { type = "server_error" }
[[steps]]
send = "look"
expect.tools = { all = ["Bash", "Agent"] }
[[steps]]
send = "now fail"
expect.outcome = "failed"
`;

const PROGRAM = `name = "a program"
[[responses]]
pattern = { type = "any" }
response = "Yes."
[[steps]]
run = "sh -c 'claude -p one; claude -p two'"
expect.calls = { count = 2 }
`;

/** What a user of Harbor has: a trajectory made and written by its own models, with content in parts. */
const THEIRS = `
import json, sys
from harbor.models.trajectories import *
call = ToolCall(tool_call_id="c1", function_name="Bash", arguments={"command": "ls"})
seen = Observation(results=[ObservationResult(source_call_id="c1", content="a.py")])
steps = [
    Step(step_id=1, source="system", message="You are an agent."),
    Step(step_id=2, source="user", message=[ContentPart(type="text", text="list the files")]),
    Step(step_id=3, source="agent", message="I look.", tool_calls=[call], observation=seen),
    Step(step_id=4, source="agent", message="There is a.py."),
    Step(step_id=5, source="agent", message="a dispatch", llm_call_count=0),
]
agent = Agent(name="claude-code", version="2.1.328", model_name="claude-x")
print(json.dumps(Trajectory(session_id="s", agent=agent, steps=steps).to_json_dict()))
`;

let scratch: Scratch;
let harbor: ReturnType<typeof prepareHarbor>;
beforeAll(() => {
  harbor = prepareHarbor();
  scratch = createScratch('trajectory-test');
  writeFiles(scratch.path, { 'talk.rehearsal.toml': TALK, 'program.rehearsal.toml': PROGRAM });
});
afterAll(() => scratch.remove());

const run = (...args: string[]) => runUnderstudy(args, { cwd: scratch.path });
const at = (name: string) => join(scratch.path, name);
const VALIDATE = ['-m', 'harbor.utils.trajectory_validator'];

it('writes conversations as trajectories that the validator of Harbor takes, and reads them back', async (context) => {
  if (harbor === undefined) return context.skip();
  await realAgent('claude', context);
  const played = await run('run');
  expect(played.code, played.stdout).toBe(0);
  const written = await run('report', 'export', 'talk', '--format', 'atif');
  expect(written.stdout).toContain('talk.trajectory.json: 7 steps of claude-code, ATIF-v1.7');
  await run('report', 'export', 'program', '--format', 'atif', '-o', 'p.json');
  for (const file of ['talk.trajectory.json', 'p.json']) {
    const { code, output } = harbor([...VALIDATE, at(file)]);
    expect(code, output).toBe(0);
  }
  const talk = JSON.parse(readFileSync(at('talk.trajectory.json'), 'utf8')) as {
    notes: string;
    steps: { source: string; message: string }[];
    subagent_trajectories: unknown[];
  };
  expect(talk.notes).toContain('a script said what the model says');
  expect(talk.steps.map(({ source, message }) => `${source}: ${message.split('.')[0]}`)).toEqual([
    ...['user: look', 'agent: I look', 'agent: A helper', 'agent: Done', 'user: now fail'],
    ...[expect.stringContaining('agent: API Error'), expect.stringContaining('system: The turn failed: api_error')],
  ]);
  expect(talk.subagent_trajectories).toMatchObject([{ steps: [{ message: 'help me' }, { message: 'Helped.' }] }]);
  // The validator can say no.
  writeFileSync(at('wrong.json'), JSON.stringify({ ...talk, steps: talk.steps.slice(1) }));
  expect(harbor([...VALIDATE, at('wrong.json')])).toMatchObject({ code: 1 });
  const back = await run('cassette', 'to-rehearsal', 'talk.trajectory.json', '-o', 'back.rehearsal.toml');
  expect(back.code, back.stderr).toBe(0);
  const text = readFileSync(at('back.rehearsal.toml'), 'utf8');
  expect([...text.matchAll(/^send = (.*)$/gm)].map(([, sent]) => sent)).toEqual(['"look"']);
});

it('makes a rehearsal of a trajectory that Harbor wrote, and the real Claude Code plays it', async (context) => {
  if (harbor === undefined) return context.skip();
  await realAgent('claude', context);
  writeFileSync(at('theirs.json'), harbor(['-c', THEIRS]).output);
  const made = await run('cassette', 'to-rehearsal', 'theirs.json');
  expect(made.code, made.stderr).toBe(0);
  const text = readFileSync(at('theirs.rehearsal.toml'), 'utf8');
  expect(text).toContain('with claude 2.1.328');
  expect(text).not.toContain('a dispatch');
  const played = await run('run', 'theirs.rehearsal.toml');
  expect(played.code, played.stdout).toBe(0);
});

it('refuses flags that do nothing for a trajectory', async () => {
  const idle = await run('report', 'export', 'talk', '--format', 'atif', '--bundle', 'x');
  expect(idle).toMatchObject({ code: 2, stderr: expect.stringContaining('--bundle does nothing with --format atif') });
});
