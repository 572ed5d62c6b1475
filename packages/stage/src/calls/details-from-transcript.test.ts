import { expect, it } from 'vitest';
import { detailsFromTranscript } from './details-from-transcript.js';

const turn = (prompt: string, at: number, cwd = '/work') => ({ prompt, at, cwd, events: () => [] });
const call = { cwd: '/work', startedAt: 10_000, ended: { at: 20_000, code: 0, signal: null } };

it('finds the one turn of a call by folder, time and prompt', () => {
  const others = [turn('go', 30_000), turn('go', 12_000, '/other'), turn('stop', 12_000)];
  expect(detailsFromTranscript(call, 'go', [...others, turn('go\n', 12_000)])).toMatchObject({
    prompt: 'go\n',
    events: [],
  });
  expect(detailsFromTranscript(call, 'go', others)).toBeUndefined();
  // Two calls side by side with the same prompt cannot be told apart.
  expect(detailsFromTranscript(call, 'go', [turn('go', 12_000), turn('go', 13_000)])).toBeUndefined();
});
