import { expect, it } from 'vitest';
import { withConfig } from './config-flags.js';

it('takes the isolation of the project, unless a flag or the variable says another', () => {
  const config = { isolation: 'docker=image:1' };
  expect(withConfig({}, config, {})).toEqual({ isolation: 'docker=image:1' });
  expect(withConfig({ isolation: 'none' }, config, {})).toEqual({ isolation: 'none' });
  expect(withConfig({}, config, { UNDERSTUDY_ISOLATION: 'none' })).toEqual({});
});

it('fills in only what the flags do not say', () => {
  const config = { workers: 2, output: 'out', reporters: [{ name: 'dot' as const }] };
  expect(withConfig({}, config)).toEqual({ workers: 2, output: 'out', reporter: [{ name: 'dot' }] });
  expect(withConfig({ workers: 5, json: true }, config)).toEqual({ workers: 5, json: true, output: 'out' });
});
