import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isAlive } from '../../packages/kit/src/process/process-table.js';
import { connectOverStdio, errorCode } from '../helpers/mcp-client.js';

const SIM = { stage: 'sim', scenario: { default_response: 'Hello.' } };

/** A project, a conversation and a server under test: what a client could leave behind. */
async function busyClient(args: readonly string[] = []) {
  const test = await connectOverStdio({ args });
  const { project_path } = await test.call<{ project_path: string }>('create_test_project', {
    project_type: 'cli',
    language: 'go',
  });
  const { session_id } = await test.call<{ session_id: string }>('start_conversation', {
    config: { ...SIM, project: project_path },
  });
  const { pid } = await test.call<{ pid: number }>('start_mcp_server', {
    server_name: 'us',
    server_config: { command: process.execPath, args: ['dist/bin/understudy.js', 'mcp'] },
    plugin_root: '.',
  });
  return { ...test, project_path, session_id, pid };
}

it('leaves nothing when the client closes its pipe', { timeout: 60_000 }, async () => {
  const { client, transport, project_path, pid } = await busyClient();
  const server = transport.pid ?? 0;
  expect([isAlive(server), isAlive(pid), existsSync(project_path)]).toEqual([true, true, true]);
  await client.close();
  await expect.poll(() => [isAlive(server), isAlive(pid), existsSync(project_path)]).toEqual([false, false, false]);
});

it.each(['SIGTERM', 'SIGKILL'] as const)('leaves nothing after %s', { timeout: 60_000 }, async (signal) => {
  const { transport, project_path, pid } = await busyClient();
  const server = transport.pid ?? 0;
  process.kill(server, signal);
  await expect
    .poll(() => [isAlive(server), isAlive(pid), existsSync(project_path)], { timeout: 15_000 })
    .toEqual([false, false, false]);
});

it('holds many conversations at once, and no more than it may', { timeout: 120_000 }, async () => {
  const { call, ask } = await connectOverStdio({ args: ['--max-conversations', '5'] });
  const started = await Promise.all(
    Array.from({ length: 5 }, () => call<{ session_id: string }>('start_conversation', { config: SIM })),
  );
  expect(errorCode(await ask('start_conversation', { config: SIM }))).toBe('HARNESS_TOO_MANY_CONVERSATIONS');
  const answers = await Promise.all(
    started.map(async ({ session_id }) => {
      const { response_id } = await call<{ response_id: string }>('send_prompt', { session_id, prompt: 'hi' });
      return call('get_response', { response_id });
    }),
  );
  expect(answers.map(({ response }) => response)).toEqual(Array(5).fill('Hello.'));
  expect(await call('reset_test_environment')).toMatchObject({ conversations_ended: 5 });
});

it('ends a conversation that nobody uses', { timeout: 60_000 }, async () => {
  const { call, ask } = await connectOverStdio({ args: ['--idle-minutes', '0.01'] });
  const { session_id } = await call<{ session_id: string }>('start_conversation', { config: SIM });
  await expect
    .poll(async () => errorCode(await ask('send_prompt', { session_id, prompt: 'hi' })), {
      interval: 1500,
      timeout: 10_000,
    })
    .toBe('CONVERSATION_ENDED');
  expect(await call('get_conversation_history', { session_id })).toMatchObject({
    ended: expect.stringMatching(/idle/),
  });
});
