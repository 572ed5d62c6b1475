import { expect, it } from 'vitest';
import { hasBrowser } from './open-browser.js';

const here = { isTerminal: true, platform: 'linux' } as const;

it.each<[string, NodeJS.ProcessEnv, boolean]>([
  ['a desktop', { DISPLAY: ':0' }, true],
  ['a desktop with Wayland', { WAYLAND_DISPLAY: 'wayland-0', CI: 'false' }, true],
  ['a console', {}, false],
  ['CI', { DISPLAY: ':0', CI: 'true' }, false],
  ['another machine', { DISPLAY: ':0', SSH_CONNECTION: '1 2 3 4' }, false],
  ['somebody who wants none', { DISPLAY: ':0', BROWSER: 'none' }, false],
])('knows whether a page can be shown: %s', (_where, environment, expected) => {
  expect(hasBrowser(environment, here)).toBe(expected);
});

it('needs a terminal, and on macOS no display', () => {
  expect(hasBrowser({ DISPLAY: ':0' }, { ...here, isTerminal: false })).toBe(false);
  expect(hasBrowser({}, { ...here, platform: 'darwin' })).toBe(true);
});
