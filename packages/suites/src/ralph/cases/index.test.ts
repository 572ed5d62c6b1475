import { expect, it } from 'vitest';
import { type Backend, backends, tiers } from '../../orchestrators/case.js';
import { suiteCases } from './index.js';

/** The cases that an orchestrator suite is specified to have, each with the backends that it must run on. */
const SPECIFIED: Record<string, readonly Backend[]> = {
  'claude-connect': ['claude'],
  'kiro-connect': ['kiro'],
  'opencode-connect': ['opencode'],
  'claude-single-iter': ['claude'],
  'claude-multi-iter': ['claude'],
  'claude-completion': ['claude'],
  'kiro-single-iter': ['kiro'],
  'opencode-single-iter': ['opencode'],
  'claude-events': ['claude'],
  'claude-backpressure': ['claude'],
  'claude-tool-use': ['claude'],
  'claude-streaming': ['claude'],
  'hat-single': ['claude'],
  'hat-multi-workflow': ['claude'],
  'hat-event-routing': ['claude'],
  'hat-instructions': ['claude'],
  'hat-backend-override': ['claude', 'kiro'],
  'hat-default-publishes': ['claude'],
  'hat-topology': ['claude'],
  'memory-add': ['claude'],
  'memory-search': ['claude'],
  'memory-list': ['claude'],
  'memory-injection': ['claude'],
  'memory-persistence': ['claude'],
  'memory-types': ['claude'],
  'timeout-handling': backends,
  'max-iterations': backends,
  'auth-failure': backends,
  'backend-unavailable': backends,
};

it('has all 29 specified cases, on the backends that are named', () => {
  expect(Object.keys(SPECIFIED)).toHaveLength(29);
  for (const [id, wanted] of Object.entries(SPECIFIED)) {
    for (const backend of wanted) {
      const found = suiteCases.find((entry) => (entry.specifiedAs?.(backend) ?? entry.id) === id);
      expect(found?.backends, id).toContain(backend);
    }
  }
});

it('has no id that names a backend', () => {
  const named = suiteCases.filter(({ id }) =>
    id.split('-').some((word) => (backends as readonly string[]).includes(word)),
  );
  // This one is about Kiro, and runs on no other.
  expect(named.map(({ id, backends: on }) => [id, on])).toEqual([['hat-kiro-agent', ['kiro']]]);
});

it('has every case under one name, in the order of the tiers', () => {
  expect(new Set(suiteCases.map(({ id }) => id)).size).toBe(suiteCases.length);
  const order = suiteCases.map(({ tier }) => tiers.indexOf(tier));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(new Set(order).size).toBe(tiers.length);
});

it.each(suiteCases.map((entry) => [entry.id, entry] as const))('%s can be red, and can be rated', (_, entry) => {
  expect(entry.expectedIterations).toBeGreaterThan(0);
  expect(entry.quality?.length).toBeGreaterThan(0);
  expect(entry.baselines.length).toBeGreaterThan(0);
  if (entry.tier === 'Hat Collections' || entry.tier === 'Memory System') {
    expect(entry.pressure?.length).toBeGreaterThan(0);
  }
  const texts = [...(entry.quality ?? []), ...(entry.pressure ?? [])].flatMap((part) => Object.values(part));
  expect(texts.filter((text) => text.trim() === '')).toEqual([]);
});

/** A run in which nothing was observed. */
const NOTHING = {
  runs: [],
  last: undefined,
  timedOut: false,
  leftovers: [],
  events: [],
  iterations: [],
  termination: undefined,
  unlogged: [],
  read: () => undefined,
};

it.each(suiteCases.map((entry) => [entry.id, entry] as const))('%s names checks that it makes', (_, entry) => {
  for (const backend of entry.backends) {
    const names = entry.check(NOTHING, backend).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { fails } of entry.baselines) {
      expect(fails.length).toBeGreaterThan(0);
      expect(names).toEqual(expect.arrayContaining([...fails]));
    }
  }
});

it('fails a run in which nothing was observed', () => {
  for (const entry of suiteCases) {
    for (const backend of entry.backends) {
      expect(
        entry.check(NOTHING, backend).some(({ status }) => status === 'failed'),
        entry.id,
      ).toBe(true);
    }
  }
});
