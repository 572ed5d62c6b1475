import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import { servedAgents } from '../../src/public/model-server.js';
import { realAgent } from '../helpers/real-agents.js';
import { sample, seedOr } from '../helpers/seeded.js';

const TIMEOUT = 180_000;
const scratches: Scratch[] = [];

afterEach(async () => {
  for (const made of scratches.splice(0)) await made.remove();
});

function scratch(): string {
  const made = createScratch('hermetic');
  scratches.push(made);
  return made.path;
}

/** A network namespace holds nothing but its own loopback: whoever looks outside fails. */
const canUnshare = spawnSync('unshare', ['-rn', 'true']).status === 0;

/** strace writes down every connection and every look-up that was tried; it is proof by itself, too. */
const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;

// Two of them by seed, all in a long run.
it.for(sample(servedAgents, 2, seedOr(1)))(
  '%s finishes a scripted turn where there is nothing but loopback, and looks nothing up',
  { timeout: TIMEOUT },
  async (agent, context) => {
    if (!canUnshare && !canTrace) context.skip('this system allows neither network namespaces nor strace');
    await realAgent(agent, context);
    const folder = scratch();
    const source = join(folder, 'inside.ts');
    writeFileSync(
      source,
      `import { Conversation } from ${JSON.stringify(new URL('../../packages/stage/src/conversation/conversation.ts', import.meta.url).pathname)};
       const conversation = await Conversation.start({ agent: ${JSON.stringify(agent)}, retries: 0, scenario: { responses: [
         { pattern: { type: 'contains', text: 'hello' }, response: { text: 'Hello back.', tool_calls: [{ tool: 'shell', input: { command: 'echo inside' } }] } },
       ] } });
       const turn = await conversation.send('hello');
       await conversation.end();
       console.log(JSON.stringify({ outcome: turn.outcome, text: turn.text, message: turn.message, tools: turn.tools.map((tool) => tool.result) }));`,
    );
    await build({
      input: source,
      platform: 'node',
      external: [/^@lydell/, /^@xterm/],
      resolve: { modules: [join(import.meta.dirname, '../../node_modules')] },
      output: { dir: folder, entryFileNames: 'inside.mjs', format: 'esm' },
      logLevel: 'silent',
    });
    const trace = join(folder, 'trace');
    const strace = canTrace ? ['strace', '-f', '-qq', '-e', 'trace=connect,sendto,sendmsg', '-o', trace] : [];
    const alone = canUnshare
      ? ['unshare', '-rn', 'sh', '-c', 'ip link set lo up 2>/dev/null || ifconfig lo up; exec "$@"', 'sh']
      : [];
    const [file = '', ...args] = [...alone, ...strace, process.execPath, join(folder, 'inside.mjs')];
    const { PATH, HOME, UNDERSTUDY_STORE, XDG_CACHE_HOME } = process.env;
    const environment = { PATH, HOME, UNDERSTUDY_STORE, XDG_CACHE_HOME };
    const run = spawnSync(file, args, {
      encoding: 'utf8',
      timeout: 120_000,
      env: Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined)),
    });
    expect(JSON.parse(run.stdout || run.stderr)).toMatchObject({
      outcome: 'completed',
      text: 'Hello back.',
      tools: [expect.stringContaining('inside')],
    });
    if (canTrace) {
      const outside = readFileSync(trace, 'utf8')
        .split('\n')
        .filter((line) => /sa_family=AF_INET6?,/.test(line) && !/127\.0\.0\.1|"::1"|::ffff:127\.0\.0\.1/.test(line));
      expect(outside).toEqual([]);
    }
  },
);

it('gives the CLI no credential of this machine outside of live', { timeout: TIMEOUT }, async (context) => {
  await realAgent('claude', context);
  process.env['ANTHROPIC_API_KEY'] = 'sk-real-secret';
  process.env['SECRET_OF_THE_USER'] = 'do-not-tell';
  try {
    const conversation = await Conversation.start({
      scenario: {
        responses: [
          {
            pattern: { type: 'any' },
            response: { text: 'ok', tool_calls: [{ tool: 'Bash', input: { command: 'env' } }] },
          },
        ],
      },
    });
    const turn = await conversation.send('tell me your environment');
    await conversation.end();
    expect(turn.tools).toMatchObject([{ status: 'ok' }]);
    expect(turn.tools[0]?.result).toContain('HOME=');
    expect(turn.tools[0]?.result).not.toContain('sk-real-secret');
    expect(turn.tools[0]?.result).not.toContain('do-not-tell');
  } finally {
    delete process.env['ANTHROPIC_API_KEY'];
    delete process.env['SECRET_OF_THE_USER'];
  }
});

it('takes the real environment’s model in live, and says when there is none', { timeout: TIMEOUT }, async (context) => {
  await realAgent('claude', context);
  const upstream = await import('../../packages/agents/src/model/server.js').then(async ({ startModelServer }) => {
    const { defineScenario } = await import('../../packages/script/src/load.js');
    return startModelServer({
      key: 'sk-live-key-of-a-test',
      scenario: defineScenario({ default_response: 'I am the upstream.' }),
    });
  });
  const names = ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY'] as const;
  const saved = names.map((name) => process.env[name]);
  try {
    for (const name of names) delete process.env[name];
    await expect(Conversation.start({ stage: 'live' })).rejects.toMatchObject({ code: 'AGENT_NOT_AUTHENTICATED' });
    process.env['ANTHROPIC_BASE_URL'] = upstream.url;
    process.env['ANTHROPIC_API_KEY'] = upstream.key;
    const conversation = await Conversation.start({ stage: 'live' });
    expect(await conversation.send('who are you?')).toMatchObject({ ok: true, text: 'I am the upstream.' });
    await conversation.end();
    expect(JSON.stringify(conversation.events)).not.toContain(upstream.key);
  } finally {
    names.forEach((name, index) => {
      const value = saved[index];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    });
    await upstream.close();
  }
});
