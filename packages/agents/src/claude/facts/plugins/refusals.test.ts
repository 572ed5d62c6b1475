import { expect, it } from 'vitest';
import { refuseManifest } from './refusals.js';

it('says as much of a wrong manifest as the CLI does', () => {
  const refused = (skills: string[]) =>
    refuseManifest({ value: { name: 'demo', skills }, file: '/p/plugin.json' }, 'demo')?.message;
  expect(refused(['./a'])).toBeUndefined();
  expect(refused(['a'])).toMatch(/Validation errors: skills\.0: Invalid string: must start with "\.\/"$/);
  const long = refused(Array.from({ length: 40 }, () => 'a')) ?? '';
  expect(long).toMatch(/^Failed to load plugin: Plugin demo has .*…$/);
  expect(long).toHaveLength('Failed to load plugin: '.length + 501);
});
