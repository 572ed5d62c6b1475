import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { contextOf } from '../../packages/suites/src/orchestrators/context-schema.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { runUnderstudy } from '../helpers/understudy.js';

/** The ralph of this machine. We do not fetch one: without it there is nothing to see here, in CI neither. */
function realRalph(context: TestContext): string {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'ralph'));
  const found = [process.env['RALPH_BIN'] ?? '', ...onPath].find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  return found ?? context.skip('skipped: there is no ralph in RALPH_BIN or on PATH');
}

async function suite(ralph: string, ...args: string[]): Promise<RunResult> {
  const { stdout, stderr } = await runUnderstudy(
    ['e2e', '--stage', 'sim', '--ralph', ralph, '--json', '--skip-analysis', ...args],
    {
      cwd: loopWorkspace({}),
      env: { HOME: loopWorkspace({}) },
    },
  );
  expect(stdout, stderr).toMatch(/^\{/);
  return JSON.parse(stdout) as RunResult;
}

it('takes the facts of a real ralph from its own files', { timeout: 300_000 }, async (context) => {
  const run = await suite(realRalph(context), 'claude', '--grep', 'hat-multi-workflow', '--skip-baselines');
  const [result] = run.entries;
  expect(result?.checks.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(run).toMatchObject({ passed: true, orchestrator: { kind: 'ralph' } });
  const { iterations, events_emitted: events, termination_reason: reason } = contextOf(result ?? {}) ?? {};
  expect(iterations?.map(({ hat }) => hat)).toEqual(['planner', 'builder', 'ralph']);
  expect(iterations?.map(({ backend }) => backend)).toEqual(['claude', 'claude', 'claude']);
  expect(iterations?.[1]?.prompt).toContain('### Builder Instructions');
  expect(iterations?.[2]?.output).toContain('LOOP_COMPLETE');
  expect(events?.map(({ topic, source_hat: by }) => `${by}: ${topic}`)).toEqual(
    expect.arrayContaining(['planner: build.task', 'builder: build.done']),
  );
  expect(reason).toBe('completed');
});

/** Where ralph 2.10 departs from the contract; docs/real-ralph.md tells why. */
const DEPARTURES: Record<string, string> = {
  'completion@claude': 'terminated: completed',
  'events@claude': 'no event lost',
  'hat-event-routing@claude': 'hats builder → watcher → auditor → ralph',
  'timeout-handling@claude': 'terminated: max_runtime',
  'backend-unavailable@claude': 'the error names the CLI',
  'failure-keeps-event@claude': 'hats builder → builder → ralph',
};

it('finds where ralph 2.10 departs from the contract, and nothing else', { timeout: 600_000 }, async (context) => {
  const run = await suite(realRalph(context), 'claude', '--skip-baselines');
  const version = run.orchestrator?.version ?? '';
  if (!version.startsWith('2.10.')) return context.skip(`skipped: this is ralph ${version}`);
  const failed = run.entries.filter(({ status }) => status !== 'passed');
  expect(failed.map(({ id }) => id).sort()).toEqual(Object.keys(DEPARTURES).sort());
  for (const { id, status, checks } of failed) {
    expect(status, id).toBe('failed');
    const red = checks.filter((check) => check.status === 'failed').map(({ name }) => name);
    expect(red, id).toContain(DEPARTURES[id]);
  }
});
