import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFilter } from '@understudy/runner';
import { expect, it, onTestFinished } from 'vitest';
import { sampleCheck } from '../../../../test/helpers/sample-results.js';
import { suiteCases } from '../ralph/cases/index.js';
import { referenceDialect } from '../ralph/dialect.js';
import { type Baseline, backends, type SuiteCase } from './case.js';
import { caseEntries, caseIdentities, casePlayer, workspaceFolders } from './case-entries.js';
import { judgeBaseline } from './play-case.js';
import type { CaseStage } from './stage.js';
import { Workspaces } from './workspace.js';

function workspaces(): Workspaces {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'entries-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return new Workspaces(folder);
}

const stage = (name: CaseStage['name'], usable = true): CaseStage => ({
  name,
  state: async (backend) => ({
    ...{ agent: backend, version: '1', available: usable, authenticated: usable, detail: 'it is not installed' },
  }),
  prepare: async () => ({ env: {}, close: async () => {} }),
});

function contextOn(stage: CaseStage, command: readonly string[] = ['node', 'loop.cjs', 'loop']) {
  const orchestrator = { kind: 'reference' as const, command, version: '0', dialect: referenceDialect };
  return { orchestrator, stage, workspaces: workspaces(), withBaselines: true };
}

function entries(on: CaseStage, command?: readonly string[]) {
  return caseEntries(suiteCases, backends, contextOn(on, command));
}

const entry = (id: string, on: CaseStage = stage('sim'), command?: readonly string[]) => {
  const found = entries(on, command).find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
};

it('is a case on each of its backends, with its tier as group and the command that runs it again', () => {
  expect(entry('hat-single@claude')).toMatchObject({
    kind: 'case',
    name: 'hat-single@claude',
    agent: 'claude',
    stage: 'sim',
    group: 'Tier 5: Hat Collections',
    case: { id: 'hat-single', expected_iterations: 2, pressure_factors: [{ name: 'complexity' }] },
    rerun: 'understudy e2e claude --grep hat-single@claude --stage sim --loop --verbose --keep-workspace',
  });
  expect(entry('hat-single@claude', stage('scripted'), ["/it's here/ralph"]).rerun).toBe(
    "understudy e2e claude --grep hat-single@claude --ralph '/it'\\''s here/ralph' --verbose --keep-workspace",
  );
});

it('has every id once, made of the case and its backend', () => {
  const ids = entries(stage('sim')).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(['connect@kiro', 'completion@claude', 'completion@kiro']));
});

it('is chosen by backend, and by a part of its id, its tier or its full name', () => {
  const chosen = (filter: string, only = backends.slice()) =>
    caseIdentities(suiteCases, only)
      .filter(compileFilter(filter))
      .map(({ id }) => id);
  expect(chosen('hat-single')).toEqual(['hat-single@claude', 'hat-single@kiro', 'hat-single@opencode']);
  expect(chosen('hat-single', ['kiro'])).toEqual(['hat-single@kiro']);
  expect(chosen('completion@claude')).toEqual(['completion@claude']);
  // The ids of the specification still choose.
  expect(chosen('claude-connect')).toEqual(['connect@claude']);
  expect(chosen('claude-completion@kiro')).toEqual(['completion@kiro']);
  expect(chosen('connectivity')).toEqual(['connect@claude', 'connect@kiro', 'connect@opencode']);
  expect(chosen('no-such-case')).toEqual([]);
});

it('says why it cannot be run', async () => {
  const reason = async (id: string, on: CaseStage) => {
    const one = entry(id, on);
    return one.skip ?? (await casePlayer(suiteCases, contextOn(on)).skipReason?.(one));
  };
  expect(await reason('hat-single@claude', stage('sim'))).toBeUndefined();
  expect(await reason('hat-single@claude', stage('sim', false))).toBe('it is not installed');
  expect(await reason('hat-single@claude', stage('live'))).toBeUndefined();
  expect(await reason('failure-recovery@claude', stage('live'))).toContain('cannot be played on the stage live');
  expect(await reason('failure-recovery@claude', stage('scripted'))).toContain('cannot be played on the stage');
});

it('is data, and nobody plays a case that there is not', async () => {
  const all = entries(stage('sim'));
  expect(JSON.parse(JSON.stringify(all))).toEqual(all);
  const other = { ...entry('hat-single@claude'), agent: 'codex' };
  const player = casePlayer(suiteCases, contextOn(stage('sim')));
  expect(() => player.skipReason?.(other)).toThrow('there is no case for hat-single@claude on sim');
});

it('asks once whether a backend is there', async () => {
  let asked = 0;
  const counting: CaseStage = {
    ...stage('sim'),
    state(backend) {
      asked++;
      return stage('sim').state(backend);
    },
  };
  const player = casePlayer(suiteCases, contextOn(counting));
  for (const one of entries(counting)) await player.skipReason?.(one);
  expect(asked).toBe(backends.length);
});

it('keeps a workspace where it is, and removes it otherwise', async () => {
  const root = workspaces();
  const open = workspaceFolders(root);
  const first = open(entry('hat-single@claude'));
  const setup = { config: {}, prompt: '', scenario: {} };
  root.create('hat-single@claude', setup, 'claude');
  expect(await first.keep()).toBe(join(root.root, 'hat-single@claude'));
  await first.remove();
  expect(root.exists('hat-single@claude')).toBe(true);
  const second = open({ ...entry('hat-single@claude'), round: 2 });
  expect(second.path).toBe(join(root.root, 'hat-single@claude.round-2'));
  root.create('hat-single@claude.round-2', setup, 'claude');
  await second.remove();
  expect(root.exists('hat-single@claude.round-2')).toBe(false);
});

const baseline: Baseline = {
  ...{ condition: 'no hats', expectedFailure: 'f', whyItMatters: 'w', change: (setup) => setup },
  fails: ['a', 'b'],
};
const judged = (...statuses: ('passed' | 'failed' | 'unjudged')[]) => {
  const names = ['a', 'b', 'c'];
  const checks = statuses.map((status, index) => sampleCheck(status, { name: names[index] ?? '' }));
  const { section, check } = judgeBaseline(baseline, checks);
  return [section.red, section.still_green, check.status];
};

it('is red when every check that a baseline is about fails, and only then', () => {
  expect(judged('failed', 'failed', 'passed')).toEqual([true, [], 'passed']);
  expect(judged('failed', 'passed')).toEqual([false, ['b'], 'failed']);
  expect(judged('failed')).toEqual([false, ['b'], 'failed']);
  expect(judged('unjudged', 'passed')).toEqual([false, ['a', 'b'], 'failed']);
  // What could not be looked at has not been shown to fail.
  expect(judged('failed', 'unjudged')).toEqual([false, ['b'], 'unjudged']);
});

it('has a name for its subject', () => {
  expect(judgeBaseline(baseline, []).check).toMatchObject({
    name: 'baseline "no hats" is red',
    category: 'baseline',
    subject: { kind: 'baseline', condition: 'no hats' },
  });
  const cases: readonly SuiteCase[] = suiteCases;
  for (const { id, baselines } of cases) {
    const conditions = baselines.map(({ condition }) => condition);
    expect(new Set(conditions).size, id).toBe(conditions.length);
  }
});

it('records what has no cassette yet, where that is wished', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const orchestrator = { kind: 'reference' as const, command: ['loop'], version: '0', dialect: referenceDialect };
  const stageOf = (id: string, recording?: CaseStage) =>
    caseEntries(suiteCases, ['claude'], {
      ...{ orchestrator, workspaces: workspaces(), withBaselines: false, cassettes: folder },
      ...{ stage: stage('replay'), recording },
    }).find((one) => one.id === id)?.stage;
  const recording: CaseStage = { ...stage('live'), records: true };
  expect(stageOf('connect@claude', recording)).toBe('live');
  expect(stageOf('connect@claude')).toBe('replay');
  writeFileSync(join(folder, 'connect@claude.cassette.jsonl'), '');
  expect(stageOf('connect@claude', recording)).toBe('replay');
  // Nobody can be asked there.
  expect(stageOf('backend-unavailable@claude', recording)).toBe('replay');
});
