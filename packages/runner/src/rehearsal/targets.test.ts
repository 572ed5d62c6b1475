import { expect, it } from 'vitest';
import { chosenTargets, type OwnPlace, placesOf, reviewTargets, type Target } from './targets.js';

const own: OwnPlace = { agents: ['claude'], isNamed: false, stage: 'scripted', tags: [], atOnce: false };
const shown = (test: Partial<OwnPlace>, targets: Target[], flags: Parameters<typeof placesOf>[1] = {}) =>
  placesOf({ ...own, ...test }, { targets, ...flags }).map(({ agents, stage, model, target }) =>
    [agents.join('+'), stage, model, target].filter(Boolean).join(' '),
  );

it('is agents × versions × stages × models, in this order', () => {
  const row: Target = {
    name: 'wide',
    agents: ['claude', 'codex@1'],
    versions: ['2', '3'],
    stages: ['sim', 'live'],
    models: ['a', 'b'],
  };
  const places = shown({}, [row]);
  expect(places).toHaveLength(3 * 2 * 2);
  expect(places.slice(0, 3)).toEqual(['claude@2 sim a wide', 'claude@2 sim b wide', 'claude@2 live a wide']);
  expect(places.at(-1)).toBe('codex@1 live b wide');
});

it('plays a test that names its agents on those of the target that it names', () => {
  const targets: Target[] = [
    { name: 'one', agents: ['claude@1', 'codex'] },
    { name: 'two', agents: ['claude', 'gemini'] },
  ];
  expect(shown({ isNamed: true, agents: ['claude'] }, targets)).toEqual([
    'claude@1 scripted one',
    'claude scripted two',
  ]);
  expect(shown({ isNamed: true, agents: ['claude@2'] }, targets)).toEqual(['claude@2 scripted two']);
  expect(shown({ isNamed: true, agents: ['opencode'] }, targets)).toEqual([]);
});

it('puts one version of each agent in place for a program, and no model', () => {
  const row: Target = { name: 'all', agents: ['claude@1', 'claude@2', 'codex'], models: ['a'] };
  expect(shown({ atOnce: true }, [row])).toEqual(['claude@1+codex scripted all', 'claude@2+codex scripted all']);
  expect(shown({ atOnce: true, agents: ['claude', 'codex'] }, [])).toEqual(['claude+codex scripted']);
});

it('plays only tests with its tags', () => {
  const targets: Target[] = [{ name: 'smoke', tags: ['@smoke'] }, { name: 'all' }];
  expect(shown({ tags: ['smoke'] }, targets)).toEqual(['claude scripted smoke', 'claude scripted all']);
  expect(shown({}, targets)).toEqual(['claude scripted all']);
});

it('lets flags go before it', () => {
  const row: Target = { name: 'x', agents: ['codex'], stages: ['live', 'sim'], models: ['a', 'b'] };
  expect(shown({}, [row], { agents: ['gemini'], stage: 'replay', models: ['c'] })).toEqual(['gemini replay c x']);
  expect(
    placesOf(own, { targets: [{ name: 'x', isolation: 'none', env: { A: '1' } }], isolation: 'sandbox' }),
  ).toMatchObject([{ isolation: 'none', env: { A: '1' } }]);
});

it('is chosen by its name; the nearest is named for one that is unknown', () => {
  const targets: Target[] = [{ name: 'stable' }, { name: 'next' }];
  expect(chosenTargets(targets, undefined)).toEqual(targets);
  expect(chosenTargets(targets, ['next'])).toEqual([{ name: 'next' }]);
  expect(() => chosenTargets(targets, ['stabel'])).toThrow(
    expect.objectContaining({ code: 'TARGET_UNKNOWN', fix: 'Did you mean stable?' }),
  );
  expect(() => chosenTargets([], ['x'])).toThrow(
    expect.objectContaining({ fix: expect.stringContaining('[[targets]]') }),
  );
});

it('cannot have the name of another, versions twice, or variables that are ours', () => {
  const problems = reviewTargets(
    [
      { name: 'a', agents: ['claude@1'], versions: ['2'] },
      { name: 'a', env: { HOME: '/x', ANTHROPIC_API_KEY: 'k' } },
    ],
    'understudy.toml',
  );
  expect(problems.map(({ path, code }) => `${path.join('.')} ${code}`)).toEqual([
    'targets.0.versions CONFLICTING_FIELDS',
    'targets.1.name INVALID_VALUE',
    'targets.1.env.HOME ENV_REFUSED',
    'targets.1.env.ANTHROPIC_API_KEY ENV_REFUSED',
  ]);
});
