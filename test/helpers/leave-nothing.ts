import { afterAll, expect, vi } from 'vitest';

/** The Agent SDK sets them and leaves them. */
const OF_LIBRARIES = ['NoDefaultCurrentDirectoryInExePath', 'CLAUDE_AGENT_SDK_VERSION'];

/** Test files share a process: each leaves the environment, the folder and the console as it found them. */
const before = { env: { ...process.env }, cwd: process.cwd() };

afterAll(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const name of OF_LIBRARIES) if (before.env[name] === undefined) delete process.env[name];
  const names = Object.keys({ ...before.env, ...process.env });
  // By their names: a value may be a secret.
  const changed = names.filter((name) => before.env[name] !== process.env[name]);
  expect({ changed, cwd: process.cwd() }, 'a test file left something behind').toEqual({
    changed: [],
    cwd: before.cwd,
  });
});
