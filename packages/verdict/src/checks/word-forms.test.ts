import fc from 'fast-check';
import { expect, it } from 'vitest';
import { areForms, basesOf } from './word-forms.js';

it.each([
  'systematic systematically',
  'investigate investigates investigated investigating investigation investigations',
  'plan plans planned planning',
  'explore explores explored exploring exploration',
  'implement implements implemented implementing implementation implementations',
  'commit commits committed committing',
  'code codes coded coding',
  'test tests tested testing',
  'strategy strategies',
  'verify verifies verified verifying verification',
  'improve improved improving improvement improvements',
  'complete completed completely completion',
  'fail fails failed failing failure failures',
  'fix fixes fixed fixing',
  'pass passes passed passing',
  'suggest suggestion suggestions',
  'analyze analyzed analyzing analysis',
  'write writing written wrote',
  'run runs running ran',
  'add adds added adding',
  'use uses used using',
  'easy easily',
])('takes these for forms of one word: %s', (line) => {
  const [base = '', ...forms] = line.split(' ');
  for (const form of forms) {
    expect(areForms(base, form), `${base} and ${form}`).toBe(true);
    expect(areForms(form, base), `${form} and ${base}`).toBe(true);
  }
});

it.each([
  ['plan', 'explanation planet plane planes planed plant plain'],
  ['test', 'contest testament latest testimony attest'],
  ['code', 'codec decode cod coder'],
  ['commit', 'committee commission'],
  ['pass', 'passion passport'],
  ['miss', 'mission'],
  ['general', 'generate generation'],
  ['universe', 'university'],
  ['even', 'evening event'],
  ['new', 'news'],
  ['app', 'apply'],
  ['ear', 'early'],
  ['quest', 'question'],
  ['verse', 'version'],
  ['thin', 'thing'],
  ['hard', 'hardly'],
  ['us', 'use'],
  ['feat', 'feature'],
])('does not take %s for one of: %s', (word, others) => {
  for (const other of others.split(' ')) expect(areForms(word, other), `${word} and ${other}`).toBe(false);
});

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const ending = fc.constantFrom('', 's', 'es', 'ed', 'ing', 'ly', 'ation', 'ion', 'ment', 'ies', 'ically');

it('asks both ways round with the same answer', () => {
  fc.assert(fc.property(word, ending, word, ending, (a, x, b, y) => areForms(a + x, b + y) === areForms(b + y, a + x)));
});

it('takes only words with the same beginning for forms of one word', () => {
  const irregular = (text: string) => [...basesOf(text)].some((base) => !base.startsWith(text.slice(0, 2)));
  fc.assert(
    fc.property(word, ending, word, ending, (a, x, b, y) => {
      fc.pre(!irregular(a + x) && !irregular(b + y));
      return !areForms(a + x, b + y) || (a + x).slice(0, 2) === (b + y).slice(0, 2);
    }),
  );
});
