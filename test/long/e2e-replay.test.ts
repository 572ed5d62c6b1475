import { expect, it } from 'vitest';
import type { Backend } from '../../packages/suites/src/orchestrators/case.js';
import { suiteCases } from '../../packages/suites/src/ralph/cases/index.js';
import { verdicts } from '../helpers/loop-suite.js';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { realAgent } from '../helpers/real-agents.js';
import { realModelOf, runRecordable } from '../helpers/recordable-suite.js';

const BACKENDS: readonly Backend[] = ['claude', 'opencode'];

const all = suiteCases
  .filter(({ stages }) => stages === undefined || stages.includes('live'))
  .flatMap(({ id, backends }) => BACKENDS.filter((name) => backends.includes(name)).map((name) => [id, name] as const));

it.for(all)(
  '%s on %s replays with the verdict of the recording',
  { timeout: 600_000 },
  async ([id, backend], context) => {
    await realAgent(backend, context);
    const cwd = loopWorkspace({});
    const model = await realModelOf(id, backend);
    const args = [backend, '--loop', '--grep', `${id}@${backend}`];
    const { run: recorded } = await runRecordable(cwd, [...args, '--stage', 'live', '--record'], model.environment);
    await model.close();
    const { run: replayed } = await runRecordable(cwd, [...args, '--stage', 'replay']);
    for (const [index, { status, reason, ...entry }] of recorded.entries.entries()) {
      const again = replayed.entries[index];
      const own = verdicts({ checks: entry.checks ?? [] });
      const {
        'every recorded answer is used': used,
        'every request is answered': answered,
        ...rest
      } = verdicts({
        checks: again?.checks ?? [],
      });
      expect({ status: again?.status, rest }, JSON.stringify(again, null, 1)).toEqual({ status, rest: own });
      expect([used, answered].filter((one) => one !== undefined && one !== 'passed')).toEqual([]);
      console.log(id, backend, status, reason ?? '');
    }
  },
);
