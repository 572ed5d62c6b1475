import { describe, expect, it } from 'vitest';
import { mergeSettings } from './settings.js';

describe('settings', () => {
  const file = (settings: object) => ({
    source: 'userSettings' as const,
    root: '/',
    origin: { file: '/settings.json' },
    settings: settings as Record<string, unknown>,
  });

  it('are joined: the later wins, lists add up', () => {
    expect(
      mergeSettings([
        file({ model: 'a', permissions: { allow: ['x'] } }),
        file({ model: 'b', permissions: { allow: ['y'] } }),
      ]),
    ).toEqual({ model: 'b', permissions: { allow: ['x', 'y'] } });
  });
});
