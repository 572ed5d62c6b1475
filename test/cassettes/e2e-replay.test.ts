import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fakeRalph, REFERENCE_LOOP, verdicts } from '../helpers/loop-suite.js';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { realAgent } from '../helpers/real-agents.js';
import { MODEL_KEY, realModelOf, runRecordable } from '../helpers/recordable-suite.js';
import { runUnderstudy } from '../helpers/understudy.js';

/** The loop with another prompt than the recorded one. */
const OTHER_PROMPT = fakeRalph(
  `[ "$1" = run ] && sed -i 's/roses are red/violets are blue/' PROMPT.md\nexec ${REFERENCE_LOOP} "$@"`,
);

it('records a case, replays it without the model, and shows the difference of another prompt', {
  timeout: 300_000,
}, async (context) => {
  await realAgent('claude', context);
  const cwd = loopWorkspace({ ralph: OTHER_PROMPT });
  const one = ['claude', '--grep', 'tool-use'];
  const model = await realModelOf('tool-use', 'claude');
  const recorded = await runRecordable(cwd, ['--loop', ...one, '--stage', 'live', '--record'], model.environment);
  await model.close();
  const cassette = join(cwd, 'cassettes/e2e/loop/tool-use@claude.cassette.jsonl');
  const text = readFileSync(cassette, 'utf8');
  for (const secret of [MODEL_KEY, cwd]) expect(text).not.toContain(secret);
  expect(text).toContain('"type":"program"');

  const [replayed, changed] = [
    await runRecordable(cwd, ['--loop', ...one, '--stage', 'replay']),
    await runRecordable(cwd, ['--ralph', './ralph', ...one, '--stage', 'replay']),
  ];
  const own = recorded.run.entries[0];
  expect(own).toMatchObject({ stage: 'live', status: 'passed', usage: { calls: 1 } });
  expect(own?.rerun).toContain('--stage live --record');
  expect(replayed.run.entries[0]).toMatchObject({ stage: 'replay', status: 'passed', usage: { calls: 1 } });
  expect(verdicts(replayed.run.entries[0] ?? { checks: [] })).toEqual({
    ...verdicts(own ?? { checks: [] }),
    'every recorded answer is used': 'passed',
    'every request is answered': 'passed',
  });
  expect(changed).toMatchObject({ code: 1, run: { entries: [{ status: 'failed' }] } });
  const mismatch = changed.run.entries[0]?.checks.find(({ name }) => name === 'every request is answered');
  expect(mismatch?.actual).toMatch(/- .*roses are red.*\n\+ .*violets are blue/);
});

it('has an error for a case without a cassette, for a script, and for a contract', async () => {
  const cwd = loopWorkspace({});
  const missing = await runRecordable(cwd, ['claude', '--loop', '--grep', 'connect', '--stage', 'replay', '--record'], {
    CI: 'true',
  });
  expect(missing.code).toBe(2);
  expect(missing.run.entries[0]).toMatchObject({ status: 'error', error: { code: 'CASSETTE_MISSING' } });
  expect(existsSync(join(cwd, 'cassettes'))).toBe(false);
  const scripted = await runUnderstudy(['e2e', '--loop', '--stage', 'scripted', '--record'], { cwd });
  expect(scripted).toMatchObject({ code: 2, stderr: expect.stringContaining('RECORD_NOT_LIVE') });
});
