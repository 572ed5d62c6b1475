import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defineScenario, loadScenario } from '../../packages/script/src/load.js';
import {
  type ModelServer,
  type ModelServerOptions,
  servedAgents,
  startModelServer,
} from '../../src/public/model-server.js';
import { realAgent } from '../helpers/real-agents.js';
import { scriptedCli } from '../helpers/scripted-cli.js';
import { sample, seedOr } from '../helpers/seeded.js';
import { runProgram } from '../helpers/understudy.js';

async function serve(options: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(options);
  onTestFinished(() => server.close());
  return server;
}

// Two of them by seed, all in a long run.
describe.each(sample(servedAgents, 2, seedOr(1)))('the real %s', (agent) => {
  it('writes a file with its own tool and says what the script says, from the scenario that all share', async (context) => {
    const server = await serve({ scenario: loadScenario('examples/serve/greeting.toml') });
    const cli = await scriptedCli(agent, server, context);
    const run = await cli.run('please write a greeting');
    expect(run.text, run.stderr).toBe('I wrote greeting.txt for you.');
    expect(run.code).toBe(0);
    expect(readFileSync(join(cli.folder, 'greeting.txt'), 'utf8')).toBe('Hello from the script.\n');
    const answers = server.journal.entries({ kind: 'answer' });
    expect(answers.map((entry) => [entry.client, entry.prompt])).toEqual([
      [agent, 'please write a greeting'],
      [agent, undefined],
    ]);
    expect(new Set(answers.map((entry) => entry.conversation)).size).toBe(1);
    expect(server.journal.entries({ kind: 'unanswered' })).toEqual([]);
    expect(server.script.usage.unmatched).toEqual([]);
  });

  it('shows its user that nothing answers, with the prompt and the nearest rule, after one request', async (context) => {
    const server = await serve({ scenario: loadScenario('examples/serve/greeting.toml') });
    const cli = await scriptedCli(agent, server, context);
    const run = await cli.run('please write a greting');
    const shown = `${run.stdout}\n${run.stderr}`;
    expect(shown).toContain('no rule of the scenario answers the prompt');
    expect(shown).toContain('please write a greting');
    expect(shown).toContain('responses[0]');
    expect(server.journal.entries({ kind: 'unanswered' })).toHaveLength(1);
    expect(server.script.usage.unmatched).toMatchObject([
      { text: 'please write a greting', nearest: { rulePath: 'responses[0]' } },
    ]);
  });
});

const SESSIONS = [
  ['claude', ['--continue']],
  ['codex', []],
  ['gemini', ['--resume', 'latest']],
  ['opencode', ['--continue']],
] as const;

describe.each(sample(SESSIONS, 2, seedOr(1)))('a session of the real %s', (agent, resume) => {
  it('goes on in the same conversation when it is resumed by another process', async (context) => {
    const scenario = defineScenario({
      responses: [
        {
          pattern: { type: 'contains', text: 'begin' },
          response: 'One.',
          turns: [
            {
              expect: { type: 'contains', text: 'go on' },
              response: { text: 'Two.', tool_calls: [{ tool: 'shell', input: { command: 'echo two > two.txt' } }] },
            },
          ],
        },
      ],
    });
    const server = await serve({ scenario });
    const cli = await scriptedCli(agent, server, context);
    expect((await cli.run('begin')).text).toBe('One.');
    const args = agent === 'codex' ? [] : resume;
    const second =
      agent === 'codex'
        ? await cli.run('go on', { lead: ['exec', 'resume', '--last', '--json', '--skip-git-repo-check'] })
        : await cli.run('go on', { args });
    expect(second.text, second.stderr).toBe('Two.');
    expect(readFileSync(join(cli.folder, 'two.txt'), 'utf8')).toBe('two\n');
    expect(server.conversations.all()).toHaveLength(1);
  });
});

// Each of them was just played above: one is enough to see that the example works, all of them in a long run.
const SHOWN = sample(servedAgents, 1, seedOr(1));
it('the example checks itself', { timeout: 240_000 }, async (context) => {
  for (const agent of SHOWN) await realAgent(agent, context);
  const { code, stdout, stderr } = await runProgram([process.execPath, 'examples/serve/check.mjs', ...SHOWN]);
  expect([...stdout.matchAll(/✓ (\w+) /g)].map(([, agent]) => agent).sort(), stderr).toEqual([...SHOWN].sort());
  expect(code).toBe(0);
});
