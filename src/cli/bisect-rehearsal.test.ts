import { expect, it } from 'vitest';
import { sampleCheck, sampleEntry } from '../../test/helpers/sample-results.js';
import { verdictOf } from './bisect-rehearsal.js';

const ended = sampleCheck('failed', {
  ...{ name: 'outcome', category: 'outcome', subject: { kind: 'turn' }, actual: 'failed (api_error)' },
  evidence: ['API Error: 418 …', 'what was said'],
});
const unanswered = sampleCheck('failed', {
  ...{ name: 'every request is answered', category: 'script', subject: { kind: 'request' } },
  actual: 'responses[0] calls the tool "TaskCreate", which this request does not offer',
});
const failed = (...checks: (typeof ended)[]) => sampleEntry('a@claude', 'failed', { steps: [], checks });

it('tells of a bad version what it asked and no rule answered, before what follows from it', () => {
  expect(verdictOf([failed(sampleCheck('passed'), ended, unanswered)])).toEqual({
    verdict: 'bad',
    reason: 'every request is answered: responses[0] calls the tool "TaskCreate", which this request does not offer',
  });
});

it('tells why a turn of a bad version failed', () => {
  expect(verdictOf([failed(ended)])).toEqual({
    verdict: 'bad',
    reason: 'outcome: failed (api_error): API Error: 418 …',
  });
});
