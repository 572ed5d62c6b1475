import { expect, it } from 'vitest';
import { missedPath } from './not-visible.js';

it('does not blame the script that runs', () => {
  const [here] = [import.meta.filename];
  const missed = (said: string) => missedPath(said, ['/']);
  expect(missed(`${here}: line 75: /gone/logs/x.log: No such file or directory`)).toBeUndefined();
  expect(missed(`${here}: 3: cannot open /gone/x: No such file`)).toBeUndefined();
  expect(missed(`/bin/sh: 1: ${here}: not found`)).toBe(here);
  expect(missed(`node: cannot find ${here}`)).toBe(here);
});
