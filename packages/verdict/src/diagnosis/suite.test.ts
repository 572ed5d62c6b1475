import { afterEach, expect, it, vi } from 'vitest';
import { sampleContext } from '../../../../test/helpers/sample-results.js';

afterEach(() => vi.resetModules());

it('says nothing of what it cannot read: a context without its suite is an error', async () => {
  vi.resetModules();
  const { suiteOf } = await import('./suite.js');
  expect(suiteOf({})).toBeUndefined();
  expect(() => suiteOf({ context: sampleContext() })).toThrow('no suite is registered');
  const { suiteView } = await import('../reporters/suite-view.js');
  expect(() => suiteView()).toThrow('no suite is registered');
});
