import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { defineScenario } from '../../packages/script/src/load.js';
import { startModelServer } from '../../src/public/model-server.js';
import { type ScriptedCli, scriptedCli } from '../helpers/scripted-cli.js';
import { runUnderstudy } from '../helpers/understudy.js';

const scenario = defineScenario({
  responses: [
    {
      pattern: { type: 'contains', text: 'look' },
      response: { text: 'I look.', tool_calls: [{ tool: 'shell', input: { command: 'ls' } }], then: 'Nothing there.' },
    },
    {
      pattern: { type: 'contains', text: 'fail' },
      response: { text: 'It failed.', tool_calls: [{ tool: 'shell', input: { command: 'exit 3' } }] },
    },
  ],
});

/** How a user gets the file of a session with two prompts. */
const SESSIONS: Record<string, (cli: ScriptedCli) => Promise<string>> = {
  async codex(cli) {
    await cli.run('look around');
    const last = await cli.run('now fail', { lead: ['exec', 'resume', '--last', '--skip-git-repo-check'] });
    expect(last.code, last.stderr).toBe(0);
    const sessions = join(cli.home, '.codex/sessions');
    const [rollout = ''] = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.jsonl'),
    );
    return readFileSync(join(sessions, rollout), 'utf8');
  },
  async opencode(cli) {
    const first = await cli.run('look around');
    const [session = ''] = /ses_\w+/.exec(first.stdout) ?? [];
    await cli.run('now fail', { args: ['--continue'] });
    return (await cli.run(session, { lead: ['export'] })).stdout;
  },
};

// OpenCode takes long to start.
const agents = process.env['UNDERSTUDY_LONG'] === '1' ? (['codex', 'opencode'] as const) : (['codex'] as const);

it.for(agents)(
  'a session of the real %s becomes a rehearsal that it plays',
  { timeout: 300_000 },
  async (agent, context) => {
    const server = await startModelServer({ scenario });
    onTestFinished(() => server.close());
    const cli = await scriptedCli(agent, server, context);
    const session = await SESSIONS[agent]?.(cli);
    const scratch = createScratch('import-sessions');
    onTestFinished(() => scratch.remove());
    writeFileSync(join(scratch.path, 'session.json'), session ?? '');
    const run = (...args: string[]) => runUnderstudy(args, { cwd: scratch.path });
    const made = await run('cassette', 'to-rehearsal', 'session.json');
    expect(made.code, made.stderr).toBe(0);
    const rehearsal = join(scratch.path, 'session.rehearsal.toml');
    const text = readFileSync(rehearsal, 'utf8');
    expect(text).toContain(`agent = "${agent}"`);
    expect([...text.matchAll(/^send = (.*)$/gm)].map(([, sent]) => sent)).toEqual(['"look around"', '"now fail"']);
    const played = await run('run', 'session.rehearsal.toml');
    expect(played.code, played.stdout).toBe(0);
    // The same with a tool that was not called.
    writeFileSync(rehearsal, text.replace(/tools = .*/, 'tools = { all = ["Write"] }'));
    const red = await run('run', 'session.rehearsal.toml');
    expect(red).toMatchObject({ code: 1, stdout: expect.stringContaining('tools: all') });
  },
);
