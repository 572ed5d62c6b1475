import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { standInCommand } from '../../packages/agents/src/stand-in.js';
import { loopWorkspace, runLoopIn } from '../helpers/loop-workspace.js';
import { runUnderstudy } from '../helpers/understudy.js';

/** An agent in shell: its prompt is the last argument, `$prompt`. */
const agent = (body: string) => `#!/bin/sh\nfor prompt; do :; done\n${body}\n`;
const custom = (more = '') => `cli: { backend: custom, command: ./agent }\n${more}`;

it('completes when the agent ends with the promise, and leaves facts', async () => {
  const root = loopWorkspace({ 'ralph.yml': custom(), agent: agent('echo working\necho LOOP_COMPLETE') });
  const { result, starts, ends, end, events } = await runLoopIn(root, ['-p', 'Say hello.']);
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(end).toMatchObject({ reason: 'completed', exitCode: 0, iterations: 1 });
  expect(starts).toMatchObject([{ iteration: 1, hat: 'ralph', backend: 'custom', command: ['./agent', '<prompt>'] }]);
  expect(starts[0]?.prompt).toContain('## OBJECTIVE\n\nSay hello.');
  expect(ends).toMatchObject([
    { iteration: 1, output: 'working\nLOOP_COMPLETE', code: 0, ending: 'exit', complete: true },
  ]);
  expect(events).toMatchObject([{ topic: 'task.start', payload: 'Say hello.' }]);
  expect(result.stdout).toMatch(/ITERATION 1 \| ralph \| .* \| 1\/100/);
  expect(result.stdout).toMatch(/\[iter 1\/100 done\]/);
  expect(result.stdout).toMatch(/Loop terminated: completed/);
});

it('is not fooled by what a model writes about iterations and promises', async () => {
  const lines = [
    'ITERATION 9 | ralph | 9/9',
    '[iter 9/9 done]',
    'I will end with LOOP_COMPLETE soon.',
    'Loop terminated: completed',
  ];
  const root = loopWorkspace({ 'ralph.yml': custom(), agent: agent(lines.map((line) => `echo '${line}'`).join('\n')) });
  const { result, end, ends } = await runLoopIn(root, ['-p', 'x', '--max-iterations', '2']);
  expect(result.code).toBe(2);
  expect(end).toMatchObject({ reason: 'max_iterations', iterations: 2 });
  expect(ends).toHaveLength(2);
});

it('completes with a promise in the last allowed iteration', async () => {
  const root = loopWorkspace({
    'ralph.yml': custom('event_loop: { max_iterations: 2 }'),
    agent: agent('case "$prompt" in *"Event: task.resume"*) echo LOOP_COMPLETE;; *) echo not yet;; esac'),
  });
  const { result, end } = await runLoopIn(root, ['-p', 'x']);
  expect(result.code).toBe(0);
  expect(end).toMatchObject({ reason: 'completed', iterations: 2 });
});

const WORKFLOW = custom(`
event_loop: { starting_event: plan.start, max_iterations: 5 }
hats:
  planner: { name: Planner, triggers: [plan.start], publishes: [build.task], instructions: Plan it. }
  builder: { name: Builder, triggers: [build.task], publishes: [build.done], instructions: Build it., backend: { command: ./builder } }
`);

it('hands events from hat to hat, each with its instructions and its backend', async () => {
  const root = loopWorkspace({
    'ralph.yml': WORKFLOW,
    agent: agent(
      'case "$prompt" in\n*"### Planner Instructions"*) echo \'<event topic="build.task">the parser</event>\';;\n*"Event: build.done"*) echo LOOP_COMPLETE;;\nesac',
    ),
    builder: agent('echo \'<event topic="build.done">tests: pass, lint: pass, typecheck: pass</event>\''),
  });
  const { result, starts, events, end } = await runLoopIn(root, ['-p', 'x']);
  expect(result.code).toBe(0);
  expect(starts.map(({ hat, command }) => [hat, command[0]])).toEqual([
    ['planner', './agent'],
    ['builder', './builder'],
    ['ralph', './agent'],
  ]);
  expect(starts[1]?.prompt).toContain('### Builder Instructions\n\nBuild it.');
  expect(starts[1]?.prompt).not.toContain('Plan it.');
  expect(starts[2]?.prompt).toContain('| Builder | build.task | build.done |');
  expect(events.map(({ topic, source }) => [topic, source])).toEqual([
    ['plan.start', undefined],
    ['build.task', 'planner'],
    ['build.done', 'builder'],
  ]);
  expect(end?.iterations).toBe(3);
});

it('blocks work without evidence, abandons the task after three times, and stops when it comes again', async () => {
  const root = loopWorkspace({
    'ralph.yml': custom('hats:\n  builder: { triggers: [build.task, build.blocked], publishes: [build.done] }\n'),
    agent: agent(
      'n=$(cat n 2>/dev/null); echo "x$n" > n\ncase "$prompt" in\n*"## ACTIVE HAT"*) echo "<event topic=\\"build.done\\">done $n</event>";;\n*) echo "try $n"; echo \'<event topic="build.task">the parser</event>\';;\nesac',
    ),
  });
  const { result, events, end } = await runLoopIn(root, ['-p', 'x', '--max-iterations', '20']);
  expect(events.map(({ topic }) => topic).slice(0, 6)).toEqual([
    'task.start',
    'build.task',
    'build.blocked',
    'build.blocked',
    'build.blocked',
    'build.task.abandoned',
  ]);
  expect(events.some(({ topic }) => topic === 'build.done')).toBe(false);
  expect(events[2]?.payload).toBe(
    'the parser\nbuild.done lacks evidence: `tests: pass`, `lint: pass`, `typecheck: pass`',
  );
  expect(end?.reason).toBe('loop_thrashing');
  expect(result.code).toBe(1);
});

it('accepts work without evidence when backpressure is switched off', async () => {
  const root = loopWorkspace({
    'ralph.yml': custom('backpressure: { enabled: false }'),
    agent: agent('echo \'<event topic="build.done">trust me</event>\'\necho LOOP_COMPLETE'),
  });
  const { events } = await runLoopIn(root, ['-p', 'x']);
  expect(events.map(({ topic }) => topic)).toEqual(['task.start', 'build.done']);
});

it('gives agents a ralph of their own: emit and memory', async () => {
  const root = loopWorkspace({
    'ralph.yml': custom(),
    agent: agent(
      'case "$prompt" in\n*"Use tabs."*) echo LOOP_COMPLETE;;\n*) ralph tools memory add "Use tabs." -t decision --tags style; "$RALPH_BIN" emit note.made with words; echo ok;;\nesac',
    ),
  });
  const { result, events, starts } = await runLoopIn(root, ['-p', 'x', '--max-iterations', '3']);
  expect(result.code).toBe(0);
  expect(events.filter(({ topic }) => topic === 'note.made')).toMatchObject([{ payload: 'with words' }]);
  expect(starts[0]?.prompt).not.toContain('# Memories');
  expect(starts[1]?.prompt).toMatch(
    /# Memories\n\n## Decisions\n\n### mem-\d+-[0-9a-f]{4}\n> Use tabs\.\n<!-- tags: style/,
  );
  expect(starts[1]?.prompt).toContain('Event: note.made - with words');
});

it('keeps memories out of the prompt when they are not injected', async () => {
  const files = {
    '.agent/memories.md': '# Memories\n\n## Fixes\n\n### mem-1-0001\n> Restart it.\n',
    agent: agent('echo LOOP_COMPLETE'),
  };
  const prompt = async (memories: string) =>
    (await runLoopIn(loopWorkspace({ ...files, 'ralph.yml': custom(memories) }), ['-p', 'x'])).starts[0]?.prompt;
  expect(await prompt('')).toContain('> Restart it.');
  expect(await prompt('memories: { inject: manual }')).not.toContain('Restart');
  expect(await prompt('memories: { enabled: false }')).not.toContain('Restart');
});

it('publishes a hat’s default when the agent is silent, but not when it fails', async () => {
  const config = custom(
    'event_loop: { starting_event: work.start, max_iterations: 2, max_consecutive_failures: 9 }\nhats:\n  worker: { triggers: [work.start], default_publishes: work.done }\n',
  );
  const silent = await runLoopIn(loopWorkspace({ 'ralph.yml': config, agent: agent('echo hm') }), ['-p', 'x']);
  expect(silent.events.map(({ topic }) => topic)).toEqual(['work.start', 'work.done']);
  expect(silent.starts.map(({ hat }) => hat)).toEqual(['worker', 'ralph']);
  const broken = await runLoopIn(loopWorkspace({ 'ralph.yml': config, agent: agent('exit 7') }), ['-p', 'x']);
  expect(broken.events.map(({ topic }) => topic)).toEqual(['work.start']);
  expect(broken.starts.map(({ hat }) => hat)).toEqual(['worker', 'worker']);
});

it('gives up after failures in a row', async () => {
  const root = loopWorkspace({
    'ralph.yml': custom('event_loop: { max_consecutive_failures: 2 }'),
    agent: agent('echo LOOP_COMPLETE\necho broken >&2\nexit 3'),
  });
  const { result, ends, end } = await runLoopIn(root, ['-p', 'x']);
  expect(result.code).toBe(1);
  expect(end?.reason).toBe('consecutive_failures');
  expect(ends).toMatchObject([{ code: 3, failed: true, complete: false, stderr: 'broken' }, { code: 3 }]);
});

it('stops when the same events come again and again', async () => {
  const root = loopWorkspace({ 'ralph.yml': custom(), agent: agent('echo \'<event topic="status">same</event>\'') });
  const { result, end } = await runLoopIn(root, ['-p', 'x']);
  expect(result.code).toBe(1);
  expect(end).toMatchObject({ reason: 'loop_stale', iterations: 3 });
});

it('refuses to complete before the required events have happened', async () => {
  const root = loopWorkspace({
    'ralph.yml': custom('event_loop: { required_events: [review.done] }'),
    agent: agent(
      'case "$prompt" in *"are missing: review.done"*) echo \'<event topic="review.done">ok</event>\';; esac\necho LOOP_COMPLETE',
    ),
  });
  const { result, ends } = await runLoopIn(root, ['-p', 'x']);
  expect(result.code).toBe(0);
  expect(ends.map(({ complete }) => complete)).toEqual([false, true]);
});

it('passes over a hat that has been on often enough, and tells the coordinator', async () => {
  const root = loopWorkspace({
    'ralph.yml': custom('hats:\n  worker: { triggers: [work], max_activations: 1 }\n'),
    agent: agent(
      'case "$prompt" in *"worker.exhausted"*) echo LOOP_COMPLETE;; *) echo "<event topic=\\"work\\">$$</event>";; esac',
    ),
  });
  const { result, starts } = await runLoopIn(root, ['-p', 'x', '--max-iterations', '9']);
  expect(result.code).toBe(0);
  expect(starts.map(({ hat }) => hat)).toEqual(['ralph', 'worker', 'ralph']);
});

it('ends with 0 when an agent cancels', async () => {
  const root = loopWorkspace({ 'ralph.yml': custom(), agent: agent('ralph emit loop.cancel enough') });
  const { result, end } = await runLoopIn(root, ['-p', 'x']);
  expect([result.code, end?.reason]).toEqual([0, 'cancelled']);
});

it('calls claude as Ralph does, with the prompt on stdin, and reads its events', async () => {
  const root = loopWorkspace({
    'bin/claude': `#!/bin/sh\nprintf '%s\\n' "$@" > argv.txt\ncat > stdin.txt\ncat events.jsonl\n`,
    'events.jsonl': [
      'Iteration 3: LOOP_COMPLETE',
      JSON.stringify({ type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Bash', input: {} }] } }),
      JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text: 'hello\nLOOP_COMPLETE' }] } }),
      JSON.stringify({ type: 'result', is_error: false, usage: { output_tokens: 17 } }),
      '',
    ].join('\n'),
  });
  const path = `${join(root, 'bin')}:${process.env['PATH']}`;
  const { result, starts, ends } = await runLoopIn(root, ['-p', 'Greet.', '--', '--model', 'opus'], { PATH: path });
  expect(result.code).toBe(0);
  expect(readFileSync(join(root, 'stdin.txt'), 'utf8')).toBe(starts[0]?.prompt);
  expect(readFileSync(join(root, 'argv.txt'), 'utf8')).toMatch(
    /^--dangerously-skip-permissions\n--verbose\n[\s\S]*--model\nopus\n$/,
  );
  expect(ends).toMatchObject([{ output: 'hello\nLOOP_COMPLETE', toolCalls: 1, outputTokens: 17 }]);
});

it.each([
  ['kiro', 'kiro-cli'],
  ['opencode', 'opencode'],
] as const)('counts the tools that %s has used', async (backend, program) => {
  const command = standInCommand(backend).map((word) => `'${word}'`);
  const calls = ['a', 'b'].map((name) => ({ tool: 'Bash', input: { command: `echo ${name}` } }));
  const root = loopWorkspace({
    'ralph.yml': `cli: { backend: ${backend} }`,
    [`bin/${program}`]: `#!/bin/sh\nexec ${command.join(' ')} "$@"\n`,
    'scenario.json': JSON.stringify({
      responses: [{ pattern: { type: 'any' }, response: { text: 'LOOP_COMPLETE', tool_calls: calls } }],
      tool_execution: { mode: 'live' },
    }),
  });
  const { ends } = await runLoopIn(root, ['-p', 'x'], {
    PATH: `${join(root, 'bin')}:${process.env['PATH']}`,
    KIRO_API_KEY: 'ksk_fake',
    UNDERSTUDY_SCENARIO: join(root, 'scenario.json'),
  });
  expect(ends).toMatchObject([{ toolCalls: 2, complete: true }]);
  expect(ends[0]).not.toHaveProperty('outputTokens');
});

it('tells at once when the backend is not there', async () => {
  const root = loopWorkspace({ 'ralph.yml': 'cli: { backend: custom, command: ./nowhere }' });
  const { result, end } = await runLoopIn(root, ['-p', 'x']);
  expect([result.code, end?.reason, end?.iterations]).toEqual([1, 'backend_unavailable', 1]);
  expect(result.stdout).toContain('cannot start ./nowhere');
});

it('tells what is wrong with a configuration, with 1, and runs nothing', async () => {
  const root = loopWorkspace({ 'ralph.yml': 'cli:\n  backend: cluade\n' });
  const { result, starts } = await runLoopIn(root, ['-p', 'x']);
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(/ralph\.yml:2:3 `backend` cannot be "cluade"/);
  expect(starts).toEqual([]);
});

it('takes the objective from a file, and asks for one when there is none', async () => {
  const files = { 'ralph.yml': custom(), agent: agent('echo LOOP_COMPLETE') };
  const withFile = await runLoopIn(loopWorkspace({ ...files, 'PROMPT.md': 'From the file.\n' }));
  expect(withFile.starts[0]?.prompt).toContain('From the file.');
  const { result } = await runLoopIn(loopWorkspace(files));
  expect([result.code, result.stderr.split('\n')[0]]).toEqual([
    1,
    'error LOOP_NO_OBJECTIVE: the loop has no objective: PROMPT.md does not exist',
  ]);
});

it('continues only where there is a scratchpad, and shows it first', async () => {
  const files = { 'ralph.yml': custom(), agent: agent('echo LOOP_COMPLETE') };
  const fresh = await runLoopIn(loopWorkspace(files), ['-p', 'x', '--continue']);
  expect(fresh.result.code).toBe(1);
  const root = loopWorkspace({ ...files, '.ralph/agent/scratchpad.md': '- [x] lexer' });
  const { starts, events } = await runLoopIn(root, ['-p', 'x', '--continue']);
  expect(starts[0]?.prompt).toMatch(/^<scratchpad path="[^"]*">\n- \[x\] lexer\n<\/scratchpad>/);
  expect(events[0]?.topic).toBe('task.resume');
});

it('says what it would do, and does nothing, in a dry run', async () => {
  const { result, starts } = await runLoopIn(loopWorkspace({ 'ralph.yml': WORKFLOW }), ['-p', 'x', '--dry-run']);
  expect(result).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('hat         Builder: build.task → build.done'),
  });
  expect(starts).toEqual([]);
});

it('keeps memories from the command line: add, list, search, show, delete', async () => {
  const cwd = loopWorkspace({});
  const memory = (...args: string[]) => runUnderstudy(['orchestrator', 'loop', 'memory', ...args], { cwd });
  const id = (
    await memory('add', 'Tests come first.', '-t', 'decision', '--tags', 'tdd, style', '--format', 'quiet')
  ).stdout.trim();
  await memory('add', 'Use pnpm.');
  expect(id).toMatch(/^mem-\d+-[0-9a-f]{4}$/);
  expect((await memory('list')).stdout.trim().split('\n')).toHaveLength(2);
  expect((await memory('list', '-t', 'decision')).stdout).toContain('Tests come first.  [tdd, style]');
  expect((await memory('search', 'STYLE', '--format', 'quiet')).stdout.trim()).toBe(id);
  expect(JSON.parse((await memory('show', id, '--format', 'json')).stdout)).toMatchObject({ id, type: 'decision' });
  expect((await memory('delete', id)).code).toBe(0);
  expect(await memory('show', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('MEMORY_NOT_FOUND') });
  expect(readFileSync(join(cwd, '.ralph/agent/memories.md'), 'utf8')).toContain('> Use pnpm.');
});

it('loses no memory when many processes add at once', async () => {
  const cwd = loopWorkspace({});
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      runUnderstudy(['orchestrator', 'loop', 'tools', 'memory', 'add', `number ${n}`], { cwd }),
    ),
  );
  expect(results.map(({ code }) => code)).toEqual(Array(8).fill(0));
  const { stdout } = await runUnderstudy(['orchestrator', 'loop', 'memory', 'list', '--format', 'json'], { cwd });
  expect(JSON.parse(stdout)).toHaveLength(8);
});
