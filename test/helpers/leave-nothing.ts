import { afterAll, expect, vi } from 'vitest';

/** The Agent SDK sets it when it is loaded. */
const OF_LIBRARIES = new Set(['NoDefaultCurrentDirectoryInExePath']);

/** Test files share a process: each leaves the environment, the folder and the console as it found them. */
const before = { env: { ...process.env }, cwd: process.cwd() };

afterAll(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  const names = Object.keys({ ...before.env, ...process.env });
  const changed = names.filter((name) => before.env[name] !== process.env[name] && !OF_LIBRARIES.has(name));
  // By their names: a value may be a secret.
  expect({ changed, cwd: process.cwd() }, 'a test file left something behind').toEqual({
    ...{ changed: [] },
    cwd: before.cwd,
  });
});
