import { afterAll, expect, vi } from 'vitest';

/** Test files share a process: each leaves the environment, the folder and the console as it found them. */
const before = { env: { ...process.env }, cwd: process.cwd() };

afterAll(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  expect({ env: { ...process.env }, cwd: process.cwd() }, 'a test file left something behind').toEqual(before);
});
