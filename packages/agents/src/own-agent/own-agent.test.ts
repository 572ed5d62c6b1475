import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch } from '@understudy/kit';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { startFakeNpm } from '../../../../test/helpers/fake-npm.js';
import { agentNames, agents } from '../agents.js';
import type { CallReader } from '../driver.js';
import { agentEnvironment } from '../model/server.js';
import { parseAgentSpec } from '../spec.js';
import { addAgent } from '../store/add-agent.js';
import { agentLocations } from '../store/find-agent.js';
import { defineAgent, type OwnAgent } from './definition.js';
import { agentNamed, forgetAgent, useAgent, useAgentModule } from './use-agent.js';

const scratch = createScratch('own-agent');
afterAll(() => scratch.remove());

const ours = [...agentNames];
afterEach(() => {
  for (const name of [...agentNames]) if (!ours.includes(name)) forgetAgent(name);
});

let number = 0;

/** One that can be used, with a name of its own. */
function agent(change: Partial<OwnAgent> = {}): OwnAgent {
  return defineAgent({
    name: `own-${++number}`,
    command: ['node', './own.mjs'],
    arguments: ({ prompt, args }) => [...args, prompt],
    protocol: 'openai-chat',
    model: ({ baseUrl, key }) => ({ env: { URL: baseUrl, KEY: key }, args: ['--quiet'] }),
    reader: () => ({
      read: (line) => [{ type: 'text', text: line }],
      verdict: ({ code }) => ({ outcome: code === 0 ? 'completed' : 'failed' }),
    }),
    ...change,
  });
}

it('knows the agent of a module by its name and by its path, once', async () => {
  const file = join(scratch.path, 'mine.mjs');
  const text = `name: 'mine', command: ['node', './mine.js'], version: '1.2.3', protocol: 'gemini', understudy: 'agent/1'`;
  writeFileSync(file, `export default { ${text}, arguments() {}, model: () => ({}), reader() {} };`);
  expect(await useAgentModule(file)).toBe('mine');
  expect(await useAgentModule(file)).toBe('mine');
  expect(agentNamed(file)).toBe('mine');
  expect(agentNames.filter((name) => name === ('mine' as string))).toHaveLength(1);
  expect(parseAgentSpec('mine@1.2.3')).toEqual({ agent: 'mine', version: '1.2.3' });
  const [place] = agentLocations(parseAgentSpec('mine').agent, { environment: {} });
  expect(place).toMatchObject({
    command: ['node', join(scratch.path, 'mine.js')],
    version: '1.2.3',
    source: 'defined',
  });
});

it.each<[Partial<OwnAgent> & Record<string, unknown>, RegExp]>([
  [{ name: 'claude' }, /its name is "claude", as that of claude that is there already/],
  [{ program: 'codex' }, /its program is "codex", as that of codex/],
  [{ name: 'My Agent' }, /`name` cannot be "My Agent"/],
  [{ name: 'several' }, /`name` cannot be "several"/],
  [{ reader: undefined as never }, /has no `reader`/],
  [{ reader: 'json' as never }, /`reader` must be a function/],
  [{ protocol: 'openai' as never }, /`protocol` cannot be "openai"/],
  [{ argument: () => [] }, /`argument` is not a field here/],
  [{ unwrap: (text) => text }, /nothing says which requests are its own/],
  [{ npm: { package: 'x', version: '1.0.0', program: 'x' } }, /both `npm` and `command`/],
])('refuses a definition that cannot be used: %j', (change, message) => {
  expect(() => useAgent(agent(change))).toThrow(
    expect.objectContaining({
      code: 'PART_UNUSABLE',
      message: expect.stringMatching(message),
      fix: expect.any(String),
    }),
  );
});

it('refuses what defineAgent has not made', () => {
  expect(() => useAgent({ name: 'x' } as never)).toThrow(expect.objectContaining({ code: 'PART_UNUSABLE' }));
});

const exited = { code: 0, signal: null };

async function reading(change: Partial<OwnAgent>): Promise<CallReader['reader']> {
  const driver = await agents[useAgent(agent(change))].driver();
  const call = driver.readCall(['hi'], 'scripted');
  if (call === undefined) throw new Error('it reads nothing');
  return call.reader;
}

it('keeps what goes wrong while a line is read until the turn has ended', async () => {
  const reader = await reading({
    reader: () => ({
      read: () => {
        throw new Error('no such field');
      },
      verdict: () => ({ outcome: 'completed' }),
    }),
  });
  expect(reader.read('x')).toEqual([]);
  expect(() => reader.verdict(exited, '')).toThrow(
    expect.objectContaining({
      code: 'PART_FAILED',
      message: expect.stringMatching(/failed in read\(\): no such field/),
    }),
  );
});

it.each<[string, Partial<OwnAgent>, RegExp]>([
  ['events', { reader: () => ({ read: () => ['hello'] as never, verdict: () => ({ outcome: 'completed' }) }) }, /read/],
  ['a verdict', { reader: () => ({ read: () => [], verdict: () => 'good' as never }) }, /verdict\(\): it gave "good"/],
  ['late', { reader: () => ({ read: () => [], verdict: (async () => {}) as never }) }, /gave a promise instead/],
])('refuses nonsense: %s', async (_, change, message) => {
  const reader = await reading(change);
  reader.read('x');
  expect(() => reader.verdict(exited, '')).toThrow(
    expect.objectContaining({ message: expect.stringMatching(message) }),
  );
});

it('reads the prompt of a call where most have it', () => {
  const { promptOf } = agents[useAgent(agent())];
  expect(promptOf(['--json', '-p', 'one', 'x'], '')).toBe('one');
  expect(promptOf(['--prompt=one'], '')).toBe('one');
  expect(promptOf(['run', 'two words'], '')).toBe('two words');
  expect(promptOf(['--json'], 'piped')).toBe('piped');
});

it('gets the address as the SDKs of its protocol want it', () => {
  const environment = (protocol: OwnAgent['protocol']) =>
    agentEnvironment(useAgent(agent({ protocol })) as 'claude', { url: 'http://127.0.0.1:1', key: 'k' });
  expect(environment('openai-chat').env).toEqual({ URL: 'http://127.0.0.1:1/v1', KEY: 'k' });
  expect(environment('anthropic-messages').env).toEqual({ URL: 'http://127.0.0.1:1', KEY: 'k' });
});

it('is fetched from npm in its own version, and refused with another checksum', async () => {
  const npm = startFakeNpm();
  vi.stubEnv('PATH', npm.env.PATH);
  try {
    const fetched = (integrity: string) => {
      const { command: _, ...rest } = agent();
      const program = '@google/gemini-cli/bundle/gemini.js';
      const name = '@google/gemini-cli';
      return useAgent({ ...rest, npm: { package: name, version: '1.2.3', program, integrity: { [name]: integrity } } });
    };
    await expect(addAgent(fetched('sha512-x'), { store: npm.store })).resolves.toMatchObject({ version: '1.2.3' });
    await expect(addAgent(fetched('sha512-y'), { store: npm.store })).rejects.toMatchObject({
      ...{ code: 'AGENT_NOT_AS_PINNED', message: expect.stringContaining('its definition pins') },
    });
  } finally {
    await npm.remove();
  }
});
