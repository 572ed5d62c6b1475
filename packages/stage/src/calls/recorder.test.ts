import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CALLS_VARIABLE, type RecordedCall, Terminal } from '@understudy/agents';
import { Child, isAlive, scrubbedEnvironment, UntrustedFolder } from '@understudy/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recorded, writeProgram } from './programs.js';
import { readCallFiles } from './read-calls.js';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'recorder-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.for(['Perl', 'Node'])('%s', (language) => {
  let count = 0;

  /** An agent that is a line of shell, and what is recorded of it. */
  function agentThat(script: string) {
    const folder = join(root, `${language}-${++count}`);
    const calls = join(folder, 'calls');
    mkdirSync(calls, { recursive: true });
    const claude = join(folder, 'claude');
    writeProgram(claude, recorded('claude', ['/bin/sh', '-c', script, 'claude'], folder, language === 'Perl'));
    const env = scrubbedEnvironment({ [CALLS_VARIABLE]: calls, CLAUDE: claude, FOLDER: folder });
    return {
      folder,
      claude,
      env,
      calls: (): RecordedCall[] => readCallFiles(new UntrustedFolder(folder), 'calls'),
      shell: (line: string, input = '') =>
        spawnSync('/bin/sh', ['-c', line], { env, input, encoding: 'utf8', cwd: folder }),
    };
  }

  it('records the words, the parent and the end, and hands on the exit code', () => {
    const agent = agentThat('cat; echo said; echo warned >&2; exit 7');
    const ran = agent.shell('"$CLAUDE" -p "two\nlines" ""; echo "code $?"', 'from stdin\n');
    expect(ran).toMatchObject({ stdout: 'from stdin\nsaid\ncode 7\n', stderr: 'warned\n' });
    const [call] = agent.calls();
    expect(call).toMatchObject({
      number: 1,
      words: ['claude', '-p', 'two\nlines', ''],
      stdin: 'from stdin\n',
      stdout: 'from stdin\nsaid\n',
      stderr: 'warned\n',
      ended: { code: 7, signal: null },
    });
    expect(call?.cwd).toBe(agent.folder);
    if (process.platform === 'linux') expect(call?.parent.command).toContain('/bin/sh -c "$CLAUDE" -p');
  });

  it('tells a code above 128 from a signal', async () => {
    const handled = agentThat('trap "exit 143" TERM; echo ready; while :; do sleep 0.01; done');
    expect(await endAfter(handled, 'SIGTERM')).toEqual({ code: 143, signal: null });
    expect(handled.calls()[0]?.ended).toMatchObject({ code: 143, signal: null });
    const killed = agentThat('echo ready; exec sleep 600');
    expect(await endAfter(killed, 'SIGTERM')).toEqual({ code: null, signal: 'SIGTERM' });
    expect(killed.calls()[0]?.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
  });

  it('gives an agent that was asked to end a moment for it, and one that was forgotten none', async () => {
    const agent = agentThat('trap "sleep 0.6; exit 0" TERM; echo > "$FOLDER/ready"; while :; do sleep 0.01; done');
    const leftBy = async (line: string) => {
      const begin =
        'rm -f "$FOLDER/ready"; "$CLAUDE" -p > /dev/null & until [ -f "$FOLDER/ready" ]; do sleep 0.01; done';
      const command = ['/bin/sh', '-c', `${begin}; ${line}`];
      const child = await Child.start({ command, cwd: agent.folder, env: agent.env, noteLeftovers: true });
      return (await child.exited).leftovers;
    };
    expect(await leftBy('kill $!')).toEqual([]);
    const forgotten = await leftBy('true');
    expect(forgotten?.some((line) => line.includes('claude -p'))).toBe(true);
  });

  it('hands on Ctrl-C once, also when the whole group gets it', async () => {
    const agent = agentThat(
      'trap "echo one >> $FOLDER/signals" INT; echo ready; until [ -f $FOLDER/signals ]; do sleep 0.01; done; sleep 0.1',
    );
    const child = spawn(agent.claude, ['-p'], { env: agent.env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await once(child, 'exit');
    expect(readFileSync(join(agent.folder, 'signals'), 'utf8')).toBe('one\n');
  });

  // The recorder on Node cannot see that it was killed.
  if (language === 'Perl' && process.platform === 'linux') {
    it('takes the agent with it when it is killed', async () => {
      const agent = agentThat('echo $$ > $FOLDER/pid; echo ready; exec sleep 600');
      expect(await endAfter(agent, 'SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
      const pid = Number(readFileSync(join(agent.folder, 'pid'), 'utf8'));
      while (isAlive(pid)) await sleep(5);
      expect(agent.calls()[0]?.ended).toBeUndefined();
    });
  }

  it('has written all of a big output to a file when it ends', () => {
    const agent = agentThat('head -c 3000000 /dev/zero | tr "\\0" x; echo; echo end >&2');
    const ran = agent.shell('"$CLAUDE" -p > out 2> err; wc -c < out; cat err');
    expect(ran.stdout.replace(/ /g, '')).toBe('3000001\nend\n');
    expect(agent.calls()[0]?.stdout?.length).toBe(3_000_001);
  });

  it('keeps the order of output and errors in one pipe', () => {
    const agent = agentThat('for n in 1 2 3 4; do echo out $n; echo err $n >&2; done');
    const lines = [1, 2, 3, 4].map((n) => `out ${n}\nerr ${n}\n`).join('');
    expect(agent.shell('"$CLAUDE" -p 2>&1').stdout).toBe(lines);
  });

  it('leaves standard input alone when the agent does not read it', () => {
    const agent = agentThat('echo "$2"');
    const ran = agent.shell('while read line; do "$CLAUDE" mcp "$line"; done', 'a\nb\nc\n');
    expect(ran.stdout).toBe('a\nb\nc\n');
    expect(agent.calls().map(({ stdin }) => stdin)).toEqual([undefined, undefined, undefined]);
  });

  it('ends like the agent when nobody reads any more', () => {
    const agent = agentThat('exec yes');
    expect(agent.shell('"$CLAUDE" -p | head -n 1').stdout).toBe('y\n');
    // The pipes of Node are sockets: the agent gets an error instead of the signal.
    const how = language === 'Perl' ? { signal: 'SIGPIPE' } : { code: expect.any(Number) };
    expect(agent.calls()[0]?.ended).toMatchObject(how);
  });

  it('keeps calls apart that run side by side', () => {
    const agent = agentThat('sleep 0.05; echo "$2"');
    agent.shell('for n in 1 2 3 4 5 6; do "$CLAUDE" -p $n < /dev/null > /dev/null & done; wait');
    const calls = agent.calls();
    expect(calls.map(({ stdout, words }) => stdout === `${words[2]}\n`)).toEqual(Array(6).fill(true));
    expect(new Set(calls.map(({ words }) => words[2])).size).toBe(6);
  });

  it('hands on a terminal', async () => {
    const agent = agentThat('test -t 0 && test -t 1 && test -t 2 && echo all terminals; stty size; exit 3');
    const terminal = await Terminal.start({
      command: [agent.claude],
      cwd: agent.folder,
      env: agent.env,
      columns: 61,
      rows: 17,
    });
    while (terminal.exit === undefined) await sleep(5);
    expect(terminal.text()).toMatch(/all terminals\n17 61/);
    const [call] = agent.calls();
    expect(call).toMatchObject({ ended: { code: 3 } });
    expect(call?.stdout).toBeUndefined();
  });

  it('numbers the key of the model server', () => {
    const agent = agentThat('echo "$ANTHROPIC_API_KEY $CONFIG"');
    const key = 'UNDERSTUDY_MODEL_KEY=sk-1 ANTHROPIC_API_KEY=sk-1 CONFIG="{sk-1}" UNDERSTUDY_STEP=2';
    expect(agent.shell(`${key} "$CLAUDE" -p; ${key} "$CLAUDE" -p`).stdout).toBe(
      'sk-1.2.1 {sk-1.2.1}\nsk-1.2.2 {sk-1.2.2}\n',
    );
    // A call that an agent makes has its own number.
    const nested = 'UNDERSTUDY_MODEL_KEY=sk-1.2.1 ANTHROPIC_API_KEY=sk-1.2.1 UNDERSTUDY_STEP=2';
    expect(agent.shell(`${nested} "$CLAUDE" -p`).stdout).toBe('sk-1.2.3 \n');
  });

  it('records nothing where nobody asked', () => {
    const agent = agentThat('echo hello');
    expect(agent.shell('UNDERSTUDY_CALLS= "$CLAUDE"').stdout).toBe('hello\n');
    expect(agent.calls()).toEqual([]);
    expect(existsSync(join(agent.folder, 'calls', '1'))).toBe(false);
  });
});

async function endAfter(agent: { claude: string; env: Record<string, string> }, signal: NodeJS.Signals) {
  const child = spawn(agent.claude, ['-p'], { env: agent.env, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  child.kill(signal);
  const [code, by] = await once(child, 'exit');
  return { code, signal: by };
}
