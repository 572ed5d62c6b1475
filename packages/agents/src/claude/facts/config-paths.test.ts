import { expect, it } from 'vitest';
import { projectSlug } from './config-paths.js';

it('files a project under its path', () => {
  expect(projectSlug('/home/me/my.app')).toBe('-home-me-my-app');
  expect(projectSlug(`/${'x'.repeat(300)}`)).not.toBe(projectSlug(`/${'x'.repeat(301)}`));
});
