// Rehearsals in node:test: each is a test, and a red one says what was seen. `node --test examples/own-parts`
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runRehearsals } from 'agent-understudy';

const stopping = new AbortController();
after(() => stopping.abort());

test('the rehearsals of this folder', async (t) => {
  const { entries } = await runRehearsals(import.meta.dirname, { stage: 'sim', signal: stopping.signal });
  for (const { name, status, steps } of entries) {
    const red = steps.flatMap(({ checks }) => checks).filter((check) => check.status !== 'passed');
    await t.test(name, () => assert.equal(status, 'passed', JSON.stringify(red, null, 2)));
  }
});
