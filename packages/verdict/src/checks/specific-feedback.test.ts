import { expect, it } from 'vitest';
import { checkSpecificFeedback, specificFeedbackResultSchema } from './specific-feedback.js';

it('counts the points that could be applied as they stand', () => {
  const result = checkSpecificFeedback(
    'Specific changes:\n1. button: 32px → 24px\n2. border-radius: 0 → 2px\n3. `.hint` color: #999999 → #595959',
    { minimum: 3 },
  );
  expect(result).toMatchObject({
    status: 'passed',
    measurements: ['32px', '24px', '2px'],
    properties: ['border-radius', 'color'],
    colors: ['#999999', '#595959'],
  });
  expect(result.points).toHaveLength(3);
  expect(specificFeedbackResultSchema.parse(result)).toEqual(result);
});

it.each([
  'Button padding 32px should be 24px.',
  'Heading size 24px should be 20px',
  'Reduce it from 1.5rem to 1rem.',
  'The contrast of the label is 2.8:1, too low.',
  'font-weight: bold',
  'background: rgb(10, 20, 30)',
  'The sidebar is 320px wide.',
  'Set `line-height` to 150%.',
])('takes this for specific: %s', (text) => {
  expect(checkSpecificFeedback(text)).toMatchObject({ status: 'passed' });
});

it.each([
  'Improve the spacing and make it look better.',
  'The layout feels off.',
  'It is 100% better now.',
  'I am 90% sure.',
  'The page took 300ms to load.',
  'padding: better',
  'color: should be nicer',
  'Version 2.0 of the design is ready.',
  'See issue #123456789.',
  '',
])('takes this for vague: %s', (text) => {
  expect(checkSpecificFeedback(text)).toMatchObject({ status: 'failed', points: [] });
});

it('shows what was vague', () => {
  const result = checkSpecificFeedback('Please improve the spacing.');
  expect(result.vague).toEqual(['improve the spacing']);
  expect(result.actual).toBe('0 specific, and vague: improve the spacing');
});

it('needs one more point than there is', () => {
  const text = '`.card` padding: 32px → 24px, and `h1` font-size: 32px → 24px.';
  expect(checkSpecificFeedback(text, { minimum: 2 }).status).toBe('passed');
  expect(checkSpecificFeedback(text, { minimum: 3 }).status).toBe('failed');
});

it('counts a repeated point once', () => {
  expect(checkSpecificFeedback('padding: 4px\npadding: 4px', { minimum: 2 }).status).toBe('failed');
});

it.each([0, -1, 1.5, Number.NaN])('refuses the minimum %s', (minimum) => {
  expect(() => checkSpecificFeedback('x', { minimum })).toThrow(expect.objectContaining({ code: 'CHECK_BAD_MINIMUM' }));
});
