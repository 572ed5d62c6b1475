import { expect, it } from 'vitest';
import { parseEvents, textOutsideEvents } from './events.js';

it('takes topic, target and trimmed payload', () => {
  const text =
    'Planned.\n<event topic="build.task" target="builder">\n  write it\n</event>\nand <event topic="note">x</event>';
  expect(parseEvents(text)).toEqual([
    { topic: 'build.task', target: 'builder', payload: 'write it' },
    { topic: 'note', payload: 'x' },
  ]);
});

it('skips tags without an end, and still finds the next one', () => {
  expect(parseEvents('<event topic="lost">never closed. <event topic="kept">here</event>')).toEqual([
    { topic: 'kept', payload: 'here' },
  ]);
  expect(parseEvents('<event topic="lost">never closed')).toEqual([]);
});

it('skips tags without a topic and with single quotes', () => {
  expect(parseEvents('<event>a</event><event topic=\'b\'>b</event><event topic="">c</event>')).toEqual([]);
});

it('does not mistake another attribute for the topic', () => {
  expect(parseEvents('<event subtopic="a" topic="b">c</event>')).toEqual([{ topic: 'b', payload: 'c' }]);
});

it('keeps a payload that speaks of tags', () => {
  expect(parseEvents('<event topic="a">1 < 2 and {"tag": "<event topic=\\"x\\">"}</event>')).toEqual([
    { topic: 'a', payload: '1 < 2 and {"tag": "<event topic=\\"x\\">"}' },
  ]);
});

it('gives the text around the events', () => {
  expect(textOutsideEvents('before <event topic="a">LOOP_COMPLETE</event> after')).toBe('before  after');
  expect(textOutsideEvents('an open <event topic="a"> stays')).toBe('an open <event topic="a"> stays');
});
