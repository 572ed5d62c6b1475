import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { CassetteFile, CassetteWriter, type Interaction } from '@understudy/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cassetteOf, stageWithCassette } from '../cassette.js';
import { loadRehearsal } from '../load.js';
import { rehearsalFileFor, rehearsalFromCassette } from './from-cassette.js';

let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch('from-cassette');
});
afterAll(() => scratch.remove());

let number = 0;
function answered(messages: unknown[], content: unknown[], more: Partial<Interaction> = {}): Omit<Interaction, 'type'> {
  return {
    ...{
      number: ++number,
      conversation: 'c1',
      kind: 'answer',
      protocol: 'anthropic-messages',
      client: 'claude',
      at: 0,
    },
    request: {
      method: 'POST',
      path: '/v1/messages',
      headers: { 'user-agent': 'claude-cli/2.1.325' },
      body: { model: 'm', messages },
    },
    answer: { status: 200, headers: {}, after: 0, form: 'json', body: { type: 'message', content } },
    ...more,
  };
}

const text = (said: string) => ({ type: 'text', text: said });
const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const result = (id: string) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] });
const user = (content: string) => ({ role: 'user', content });
const command =
  '<command-message>loop:plan</command-message>\n<command-name>/loop:plan</command-name>\n<command-args>it</command-args>';

function recorded(): string {
  const file = join(scratch.path, 'cassettes', 'talk.claude.cassette.jsonl');
  const writer = new CassetteWriter({
    file,
    header: {
      agents: [{ agent: 'claude', version: '2.1.325' }],
      setting: { workflow: 'agent-loop' },
      recordedAt: '2026-11-15T10:00:00.000Z',
    },
  });
  const one = user('Write the notes');
  const write = {
    role: 'assistant',
    content: [text('First I look.'), call('t1', 'Read', { file_path: '{{cwd}}/a.py' })],
  };
  writer.files({ files: [{ path: 'a.py', text: 'print(1)\n' }], more: 0 });
  writer.interaction(
    answered([one], [], {
      answer: { status: 529, headers: {}, after: 0, form: 'json', body: { error: { message: 'busy' } } },
    }),
  );
  writer.interaction(answered([one], write.content));
  writer.interaction(
    answered([one, write, result('t1')], [call('t2', 'Write', { file_path: '{{cwd}}/n.md', content: 'x' })]),
  );
  writer.interaction(answered([one, write, result('t1'), result('t2')], [text('Done. Next, run /loop:plan.')]));
  const two = {
    role: 'user',
    content: [
      { type: 'text', text: command },
      { type: 'text', text: 'Make a plan.' },
    ],
  };
  writer.interaction(answered([one, { role: 'assistant', content: [text('Done.')] }, two], [text('A plan.')]));
  writer.seen({ type: 'prompt', ...{ turn: 1, id: '1', text: 'Write the notes' } });
  writer.seen({ type: 'file_changed', ...{ turn: 1, path: 'n.md', change: 'created' } });
  writer.seen({ type: 'prompt', ...{ turn: 2, id: '2', text: '/loop:plan it' } });
  writer.close();
  return file;
}

it('writes a rehearsal that can be loaded and read by people', () => {
  const file = recorded();
  const rehearsal = rehearsalFileFor(file);
  expect(rehearsal).toBe(join(scratch.path, 'talk.rehearsal.toml'));
  const written = rehearsalFromCassette(CassetteFile.open(file), { file: rehearsal });
  expect(written).toMatchInlineSnapshot(`
    "# What was recorded on 2026-11-15 with claude 2.1.325. [[responses]] are what the model answered,
    # [[steps]] what the user said and what held then. On the stage replay, the cassette answers instead.
    name = "talk"
    agent = "claude"
    workflow = "agent-loop"

    [project.files]
    "a.py" = "print(1)\\n"

    [[responses]]
    pattern = { type = "exact", text = "Write the notes" }
    failure = { type = "overloaded", times = 1 }
    response = { text = "First I look.", tool_calls = [
      { tool = "Read", input = { file_path = "{{cwd}}/a.py" } },
    ], then = { text = "Done. Next, run /loop:plan.", tool_calls = [
      { tool = "Write", input = { file_path = "{{cwd}}/n.md", content = "x" } },
    ] } }

    [[responses]]
    pattern = { type = "command", name = "loop:plan" }
    response = "A plan."

    [[steps]]
    send = "Write the notes"
    [steps.expect]
    tools = { all = ["Read", "Write"] }
    files = [{ path = "n.md", change = "created" }]
    suggests = "/loop:plan"

    [[steps]]
    send = "/loop:plan it"
    [steps.expect]
    command = { name = "loop:plan" }
    "
  `);
  writeFileSync(rehearsal, written);
  const loaded = loadRehearsal(rehearsal);
  expect(loaded.warnings).toEqual([]);
  expect(cassetteOf(loaded, ['claude@2.1.325'])).toBe(file);
});

it('finds the cassette of a rehearsal, or says how to get one', () => {
  const file = join(scratch.path, 'other.rehearsal.toml');
  writeFileSync(
    file,
    'cassette = "tapes/{agent}.cassette.jsonl"\n[[responses]]\npattern = { type = "any" }\nresponse = "x"\n[[steps]]\nsend = "hi"\n',
  );
  const cassette = cassetteOf(loadRehearsal(file), ['opencode']);
  expect(cassette).toBe(join(scratch.path, 'tapes', 'opencode.cassette.jsonl'));
  const error = (code: string) => expect.objectContaining({ code });
  expect(() => stageWithCassette('replay', cassette, {}, false)).toThrow(error('CASSETTE_MISSING'));
  expect(() => stageWithCassette('replay', cassette, { record: true }, true)).toThrow(error('CASSETTE_MISSING'));
  expect(stageWithCassette('replay', cassette, { record: true }, false)).toBe('live');
  expect(() => stageWithCassette('scripted', cassette, { record: true }, false)).toThrow(error('RECORD_NOT_LIVE'));
});
