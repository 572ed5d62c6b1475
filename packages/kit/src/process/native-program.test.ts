import { fileURLToPath } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { nativeProgram, startCompiled } from './native-program.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

const bundled = () => ['node', 'bundle.cjs'];

it('takes the program that UNDERSTUDY_NATIVE names, and none with 0', () => {
  const file = fileURLToPath(import.meta.url);
  vi.stubEnv('UNDERSTUDY_NATIVE', file);
  expect(nativeProgram()).toEqual({ file, from: 'variable' });
  expect(startCompiled('claude', bundled)).toEqual([file, 'claude']);
  vi.stubEnv('UNDERSTUDY_NATIVE', '0');
  expect(nativeProgram()).toEqual({ reason: 'turned off by UNDERSTUDY_NATIVE=0' });
  expect(startCompiled('claude', bundled)).toEqual(bundled());
});

it('does not take the bundle in silence when the named program is missing', () => {
  vi.stubEnv('UNDERSTUDY_NATIVE', '/nowhere/stand-ins');
  expect(nativeProgram().file).toBeUndefined();
  expect(() => startCompiled('claude', bundled)).toThrowError(
    expect.objectContaining({
      code: 'FILE_NOT_FOUND',
      message: 'there is no /nowhere/stand-ins, which UNDERSTUDY_NATIVE names',
    }),
  );
});
