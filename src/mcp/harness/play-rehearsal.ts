import { resolve } from 'node:path';
import type { Stage } from '@understudy/agents';
import { defined, formatLocation } from '@understudy/kit';
import { loadRows, runRehearsal } from '@understudy/runner';
import { checksOf, hasPassed, writeAgentReport } from '@understudy/verdict';
import type { Harness } from './harness.js';
import { refuseModule } from './refuse-module.js';

interface PlayOptions {
  agent: string | undefined;
  stage: Stage | undefined;
  signal: AbortSignal;
}

/** Runs a rehearsal file for a client. */
export async function playRehearsal(harness: Harness, path: string, { agent, stage, signal }: PlayOptions) {
  if (stage !== undefined) harness.assertAllowed(stage);
  refuseModule(path);
  const rehearsals = loadRows(resolve(path));
  for (const { document } of rehearsals) harness.assertAllowed(stage ?? document.stage ?? 'scripted');
  const run = await runRehearsal(rehearsals, {
    agents: agent === undefined ? undefined : [agent],
    ...{ stage, signal, artifacts: harness.artifacts, version: harness.version },
  });
  return {
    passed: run.passed,
    verdict: run.verdict,
    entries: run.entries.map((entry) => ({
      ...{ name: entry.name, agent: entry.agent, stage: entry.stage, status: entry.status },
      failed: checksOf(entry)
        .filter((check) => !hasPassed(check))
        .map(({ name, expected, actual, defined_at, suggestion }) => ({
          ...{ check: name, expected, seen: actual },
          ...defined({ location: formatLocation(defined_at) || undefined, fix: suggestion }),
        })),
    })),
    report: writeAgentReport(run).trimEnd(),
  };
}
