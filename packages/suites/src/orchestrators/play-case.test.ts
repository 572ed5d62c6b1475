import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sampleCheck } from '../../../../test/helpers/sample-results.js';
import { suiteCases } from '../ralph/cases/index.js';
import { referenceDialect } from '../ralph/dialect.js';
import type { SuiteCase } from './case.js';
import type { Observation, StepRun } from './observation.js';
import { checksOf, playCase } from './play-case.js';
import type { CaseStage } from './stage.js';
import { Workspaces } from './workspace.js';

const RUN: StepRun = {
  ...{ command: ['loop'], code: 0, signal: null, stdout: 'done', stderr: '' },
  ...{ milliseconds: 1, timedOut: false, leftovers: [] },
};

function failuresOf(...runs: StepRun[]): string[] {
  const observed: Observation = {
    ...{ runs, last: runs.at(-1), timedOut: runs.some(({ timedOut }) => timedOut), events: [], iterations: [] },
    leftovers: runs.flatMap(({ leftovers }) => leftovers),
    termination: undefined,
    unlogged: [],
    read: () => undefined,
  };
  const steps = [{ run: [] }, { emit: ['a.topic'] }];
  const checks = checksOf({ check: () => [] }, observed, 'claude', { steps });
  return checks.filter(({ status }) => status === 'failed').map(({ name }) => name);
}

it('fails every case that leaves a process behind', () => {
  expect(failuresOf(RUN)).toEqual([]);
  expect(failuresOf({ ...RUN, leftovers: ['sleep 600 (1)'] })).toEqual(['no process left']);
});

it('fails every case whose run prints nothing; other commands may be silent', () => {
  const silent = { ...RUN, stdout: '\n' };
  expect(failuresOf(silent)).toEqual(['every run prints something']);
  expect(failuresOf(RUN, silent)).toEqual([]);
});

const UNMATCHED = { message: 'prompt 1 differs from the recording', fix: 'Record it again.' };

/** A case with one baseline, on a stage whose recording fits or not. */
async function playReplayed(...unmatched: boolean[]) {
  const folder = mkdtempSync(join(tmpdir(), 'play-case-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const asked: (string | undefined)[] = [];
  const stage: CaseStage = {
    name: 'replay',
    state: async (agent) => ({ agent, version: '1', available: true, authenticated: true, detail: '' }),
    prepare: async ({ cassette }) => {
      const usage = { unused: [], unmatched: unmatched[asked.push(cassette) - 1] === true ? [UNMATCHED] : [] };
      return { env: { PATH: process.env['PATH'] ?? '' }, usage: () => usage, close: async () => {} };
    },
  };
  const suiteCase: SuiteCase = {
    ...{ id: 'one', description: '', tier: 'Connectivity', backends: ['claude'], expectedIterations: 1 },
    setup: () => ({ config: {}, prompt: 'Say hello.', scenario: {} }),
    check: ({ last }) => [sampleCheck(last?.code === 0 ? 'passed' : 'failed', { name: 'it says hello' })],
    baselines: [
      {
        ...{ condition: 'no agent', expectedFailure: 'nothing is said', whyItMatters: '', fails: ['it says hello'] },
        change: (setup) => ({ ...setup, withoutBackend: true, steps: [{ memory: [] }] }),
      },
    ],
  };
  const { checks } = await playCase(
    { suiteCase, backend: 'claude', workspace: 'one' },
    {
      orchestrator: {
        // It fails where it is to look at its memories.
        ...{ kind: 'reference', command: ['sh', '-c', 'echo done; test "$0" = run'], version: '0' },
        dialect: referenceDialect,
      },
      ...{ stage, workspaces: new Workspaces(folder), withBaselines: true, cassettes: 'tapes', isolation: 'none' },
    },
  );
  return { asked, failed: checks.filter(({ status }) => status === 'failed').map(({ name }) => name) };
}

it('plays each variant of a case on a recording of its own', async () => {
  const { asked, failed } = await playReplayed();
  expect(asked).toEqual(['tapes/one@claude.cassette.jsonl', 'tapes/one@claude.red-1.cassette.jsonl']);
  expect(failed).toEqual([]);
});

it('fails a case that does not go as recorded, and does not take that for a red baseline', async () => {
  expect((await playReplayed(true, false)).failed).toEqual(['every request is answered']);
  expect((await playReplayed(false, true)).failed).toEqual(['baseline "no agent": every request is answered']);
});

it('plays a case again with more time where the agent was not at work yet when its limit was reached', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'play-case-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const stage: CaseStage = {
    name: 'sim',
    state: async (agent) => ({ agent, version: '1', available: true, authenticated: true, detail: '' }),
    prepare: async () => ({ env: { PATH: process.env['PATH'] ?? '' }, close: async () => {} }),
  };
  const slow = `grep -q 'max_runtime_seconds: 8' ralph.yml && echo waiting > waiting.txt
    mkdir .ralph; echo .ralph/i > .ralph/current-iterations
    echo '{"type":"end","reason":"max_runtime"}' > .ralph/i; echo ended; exit 2`;
  const { checks } = await playCase(
    {
      suiteCase: suiteCases.find(({ id }) => id === 'timeout-handling') as SuiteCase,
      backend: 'claude',
      workspace: 'a',
    },
    {
      orchestrator: { ...{ kind: 'reference', command: ['sh', '-c', slow], version: '0' }, dialect: referenceDialect },
      ...{ stage, workspaces: new Workspaces(folder), withBaselines: false, isolation: 'none' },
    },
  );
  expect(checks.find(({ name }) => name.startsWith('waiting.txt'))).toMatchObject({ status: 'passed' });
});
