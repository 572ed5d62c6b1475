import { expect, it } from 'vitest';
import { mapStream, streamTexts } from './channels.js';
import type { StreamEvent } from './format.js';

const piece = (text: string, index = 0): StreamEvent => ({
  at: 0,
  data: { type: 'delta', index, delta: { text } },
});
const textOf = (events: readonly StreamEvent[]) =>
  events.map(({ data }) => (data as { delta: { text: string } }).delta.text);

it('changes a text that is split over events, and keeps the number of pieces', () => {
  const events = [piece('in /tmp/a'), piece('b/pro'), piece('ject/x.py')];
  const changed = mapStream(events, (text) => text.replaceAll('/tmp/ab/project', '{{cwd}}'));
  expect(textOf(changed).join('')).toBe('in {{cwd}}/x.py');
  expect(changed).toHaveLength(3);
  // A name is never cut, so that it can be found again.
  expect(textOf(changed).some((text) => text.includes('{{cwd}}'))).toBe(true);
});

it('keeps the texts of two blocks apart, and leaves the events as they were', () => {
  const events = [piece('se', 0), piece('se', 1), piece('cret', 1), piece('al', 0)];
  const changed = mapStream(events, (text) => text.replaceAll('secret', '*'));
  expect(textOf(changed).join('|')).toBe('se||*|al');
  expect(textOf(events)).toEqual(['se', 'se', 'cret', 'al']);
  expect(streamTexts(events)).toContain('seal');
});
