import { describe, expect, it } from 'vitest';
import { ask, claude, type Message, serve } from '../../../../test/helpers/model-server.js';

const turns = {
  responses: [
    {
      pattern: { type: 'exact', text: 'begin' },
      response: 'Begun.',
      turns: [
        { expect: { type: 'exact', text: 'next' }, response: 'Second.' },
        { expect: { type: 'exact', text: 'next' }, response: 'Third.' },
      ],
    },
  ],
};

const history = (...said: string[]): Message[] =>
  said.flatMap((content, index) =>
    index === 0
      ? [{ role: 'user', content }]
      : [
          { role: 'assistant', content: 'ok' },
          { role: 'user', content },
        ],
  );

describe('conversations', () => {
  it('have turns of their own, by session', async () => {
    const server = await serve(turns);
    await ask(server, 'begin', claude('a'));
    await ask(server, 'begin', claude('b'));
    expect((await ask(server, history('begin', 'next'), claude('a'))).text).toBe('Second.');
    expect((await ask(server, history('begin', 'next', 'next'), claude('a'))).text).toBe('Third.');
    expect((await ask(server, history('begin', 'next'), claude('b'))).text).toBe('Second.');
    expect(server.conversations.all()).toHaveLength(2);
  });

  it('are told apart by their transcripts where no session is named', async () => {
    const server = await serve(turns);
    await ask(server, 'begin');
    await ask(server, 'begin');
    expect((await ask(server, history('begin', 'next'))).text).toBe('Second.');
    expect((await ask(server, history('begin', 'next'))).text).toBe('Second.');
    expect((await ask(server, history('begin', 'next', 'next'))).text).toBe('Third.');
    expect(server.conversations.all()).toHaveLength(2);
  });

  it('keep agents of one session apart', async () => {
    const server = await serve(turns);
    await ask(server, 'begin', claude('a'));
    await ask(server, 'begin', claude('a', 'sub'));
    expect((await ask(server, history('begin', 'next'), claude('a', 'sub'))).text).toBe('Second.');
    expect((await ask(server, history('begin', 'next'), claude('a'))).text).toBe('Second.');
    expect(server.conversations.all().map((conversation) => conversation.agent)).toEqual(['subagent', undefined]);
  });

  it('go on where they were when a session is forked', async () => {
    const server = await serve(turns);
    await ask(server, 'begin', claude('a'));
    expect((await ask(server, history('begin', 'next'), claude('fork'))).text).toBe('Second.');
    expect((await ask(server, history('begin', 'next'), claude('a'))).text).toBe('Second.');
  });

  it('have ids that depend on what is said, not on who comes first', async () => {
    const ids = async (...prompts: string[]) => {
      const server = await serve({ default_response: 'ok' });
      for (const prompt of prompts) await ask(server, prompt, claude(prompt));
      return server.conversations
        .all()
        .map((conversation) => conversation.id)
        .sort();
    };
    expect(await ids('one', 'two')).toEqual(await ids('two', 'one'));
  });
});

describe('a retry', () => {
  it('gets the same answer, and is not matched again', async () => {
    const server = await serve({ responses: [{ pattern: { type: 'any' }, response: 'Only once.', max_matches: 1 }] });
    const first = await ask(server, 'x', claude('a'));
    const again = await ask(server, 'x', claude('a'), { tools: [], system: 'something else' });
    expect(again.body).toEqual(first.body);
    expect((await ask(server, history('x', 'x'), claude('a'))).status).toBe(418);
    expect(server.script.usage.count(0)).toBe(1);
    expect(server.journal.entries().map((entry) => entry.attempt)).toEqual([1, 2, 1]);
  });

  it('counts toward the failures that come first, with a session and without', async () => {
    for (const headers of [claude('a'), {}]) {
      const server = await serve({
        responses: [{ pattern: { type: 'any' }, response: 'Now.', failure: { type: 'server_error', times: 2 } }],
      });
      const statuses = [];
      for (let attempt = 0; attempt < 3; attempt++) statuses.push((await ask(server, 'x', headers)).status);
      expect(statuses).toEqual([500, 500, 200]);
    }
  });
});

describe('a fault', () => {
  it.each([{}, claude('a')])('strikes once, and the retry is answered (headers: %j)', async (headers) => {
    const server = await serve({ default_response: 'ok', faults: [{ request: 1, failure: { type: 'overloaded' } }] });
    expect((await ask(server, 'x', headers)).status).toBe(529);
    expect((await ask(server, 'x', headers)).text).toBe('ok');
    expect(server.journal.entries().map((entry) => entry.rulePath)).toEqual(['faults[0]', 'default_response']);
  });
});

describe('tool results', () => {
  const document = {
    responses: [
      {
        pattern: { type: 'regex', pattern: 'run (\\w+)' },
        response: {
          tool_calls: [{ tool: 'shell', input: { command: '{{1}}' } }],
          then: [{ expect: { type: 'contains', text: 'fine' }, response: '{{results}} for {{prompt}}' }],
        },
      },
    ],
  };
  const results = (prompt: string, id: string | undefined, content: string): Message[] => [
    { role: 'user', content: prompt },
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ];

  it('find their call, however conversations are interleaved', async () => {
    const server = await serve(document);
    const one = (await ask(server, 'run one')).body.content[0]?.id;
    const two = (await ask(server, 'run two')).body.content[0]?.id;
    expect((await ask(server, results('run two', two, 'fine'))).text).toBe('fine for run two');
    expect((await ask(server, results('run one', one, 'fine'))).text).toBe('fine for run one');
  });

  it('that no branch takes are an error, once', async () => {
    const server = await serve(document);
    const id = (await ask(server, 'run one', claude('a'))).body.content[0]?.id;
    for (let attempt = 0; attempt < 2; attempt++) {
      const { status, body } = await ask(server, results('run one', id, 'bad'), claude('a'));
      expect([status, body.error?.message]).toEqual([
        418,
        expect.stringContaining('no branch of responses[0].then matches the tool results "bad"'),
      ]);
    }
    expect(server.script.usage.unmatched).toHaveLength(1);
  });

  it('of calls that were never made are an error', async () => {
    const server = await serve(document);
    const { status, body } = await ask(server, results('run', 'toolu_strange', 'x'));
    expect([status, body.error?.message]).toEqual([
      418,
      expect.stringContaining('results of tool calls that this server did not make (toolu_strange)'),
    ]);
    expect(server.script.usage.unmatched).toHaveLength(1);
  });
});

describe('hooks that ask the model', () => {
  const scenario = {
    responses: [
      {
        pattern: { type: 'contains', text: 'safe' },
        when: { hook: 'PreToolUse' },
        response: '{"ok":false,"reason":"no"}',
      },
      { pattern: { type: 'any' }, response: 'not for hooks' },
    ],
  };
  const payload = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {} };
  const system = (what: string) => [{ type: 'text', text: `You are evaluating a ${what} in Claude Code. Decide.` }];
  const question = (words: string) => `${words} ${JSON.stringify(payload)}`;

  it('are answered by the rules for them, and else without an objection', async () => {
    const heard: unknown[] = [];
    const server = await serve(scenario, { onHook: ({ name, kind }, answer) => heard.push([name, kind, answer]) });
    const asked = await ask(server, question('Is it safe?'), claude('a'), { system: system('hook'), tools: [] });
    expect(JSON.parse(asked.text)).toEqual({ ok: false, reason: 'no' });
    const other = await ask(server, question('Is it good?'), claude('a'), { system: system('hook'), tools: [] });
    expect(JSON.parse(other.text)).toMatchObject({ ok: true });
    expect(heard).toEqual([
      ['PreToolUse:Bash', 'prompt', asked.text],
      ['PreToolUse:Bash', 'prompt', other.text],
    ]);
    expect(server.journal.entries().map(({ auxiliary, rulePath }) => [auxiliary, rulePath])).toEqual([
      ['hook', 'responses[0]'],
      ['hook', undefined],
    ]);
    expect(server.conversations.all()).toEqual([]);
  });

  it('are told apart by their agent and their folder', async () => {
    const where = { cwd: '/work/a', agent_type: 'Explore' };
    const rule = (when: object, reason: string) => ({
      when: { hook: 'PreToolUse', ...when },
      response: JSON.stringify({ ok: false, reason }),
    });
    const server = await serve({ responses: [rule({ agent: 'Explore' }, 'agent'), rule({ cwd: '*/a' }, 'folder')] });
    const asks = async (more: object) => {
      const text = `Is it safe? ${JSON.stringify({ ...payload, ...more })}`;
      const { text: answer } = await ask(server, text, claude('a'), { system: system('hook'), tools: [] });
      return JSON.parse(answer);
    };
    expect(await asks(where)).toMatchObject({ reason: 'agent' });
    expect(await asks({ cwd: '/work/a' })).toMatchObject({ reason: 'folder' });
    expect(await asks({ cwd: '/work/b' })).toMatchObject({ ok: true });
  });

  it('get the tool call that an agent judges with', async () => {
    const server = await serve(scenario);
    const instructions = `${system('PreToolUse hook')[0]?.text} Return your result using the StructuredOutput tool.`;
    const { body } = await ask(server, question('Is it safe?'), claude('a'), { system: instructions });
    expect(body.content).toMatchObject([
      { type: 'tool_use', name: 'StructuredOutput', input: { ok: false, reason: 'no' } },
    ]);
  });

  it('are not taken for prompts of a user who writes the same', async () => {
    const server = await serve(scenario);
    expect((await ask(server, question('Is it safe?'), claude('a'))).text).toBe('not for hooks');
  });
});

it('says of a request that the agent did not make who made it', async () => {
  const server = await serve({ responses: [] }, { agent: 'claude', strict: false });
  const unmatched = () => server.script.usage.unmatched.at(-1)?.message;
  await ask(server, 'of the agent', claude('a'));
  expect(unmatched()).toBe('no rule of the scenario answers the prompt "of the agent"');
  const other = await ask(server, 'of a hook');
  const message =
    'no rule of the scenario answers the prompt "of a hook". Not claude asked it, but a program that it started: a hook, an MCP server or a command';
  expect(unmatched()).toBe(message);
  expect(other.text).toContain(message);
});
