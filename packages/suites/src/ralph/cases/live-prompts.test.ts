import type { CheckSubject } from '@understudy/verdict';
import { expect, it } from 'vitest';
import { type Backend, type CaseSetup, type SuiteCase, stageNames } from '../../orchestrators/case.js';
import { suiteCases } from './index.js';
import { MEMORIES } from './memory-setup.js';

const NOTHING = {
  ...{ runs: [], last: undefined, timedOut: false, leftovers: [], events: [], iterations: [], unlogged: [] },
  ...{ termination: undefined, read: () => undefined },
};

const live = suiteCases
  .filter(({ stages = stageNames }) => stages.includes('live'))
  .flatMap((suiteCase) => suiteCase.backends.map((backend) => [suiteCase.id, backend, suiteCase] as const));

/** All that a real model receives from the case itself: its prompt, and the instructions of its hats. */
function promptOf({ prompt, config }: CaseSetup): string {
  return [prompt, ...Object.values(config.hats ?? {}).map(({ instructions = '' }) => instructions)].join('\n');
}

/** What the case gives to the orchestrator, which then writes it. */
function givenTo({ files = {}, steps = [], config }: CaseSetup): string {
  return JSON.stringify([files, steps, config]);
}

/** Topics that the orchestrator publishes by itself. */
const OWN_TOPICS = ['build.blocked'];
/** What the agent must take from what the orchestrator shows it; the prompt has the form of the answer. */
const SHOWN: Record<string, string> = { 'A planner and a builder.': '"A first and a second."' };

/** The words without which a real model cannot do what a check looks for. */
function factsOf(subject: CheckSubject, setup: CaseSetup): (string | RegExp)[] {
  switch (subject.kind) {
    case 'event': {
      if (!subject.wanted || OWN_TOPICS.includes(subject.topic)) return [];
      const { topic, payload } = subject;
      return givenTo(setup).includes(`"default_publishes":"${topic}"`)
        ? []
        : [`<event topic="${topic}"`, ...(payload === undefined ? [] : [payload])];
    }
    case 'output':
      if (subject.of !== 'agent') return [];
      if (subject.pattern === true) return [new RegExp(subject.words, 'i')];
      return subject.words.split('\n').map((words) => SHOWN[words] ?? words);
    case 'file': {
      const words = (subject.words ?? '').replace(/^> /, '');
      if (subject.path !== MEMORIES) return [subject.path];
      // Headings and comments are the orchestrator's.
      return /^(?:##|<!--)/.test(words) || givenTo(setup).includes(words) ? [] : [words];
    }
    case 'termination':
      return subject.reason === 'completed' ? ['LOOP_COMPLETE'] : [];
    default:
      return [];
  }
}

function missing(suiteCase: SuiteCase, backend: Backend, setup: CaseSetup): (string | RegExp)[] {
  const told = promptOf(setup);
  return suiteCase
    .check(NOTHING, backend)
    .flatMap(({ subject }) => factsOf(subject, setup))
    .filter((fact) => (typeof fact === 'string' ? !told.includes(fact) : !fact.test(told)));
}

it('has all cases on live but those in which the agent must fail', () => {
  const others = suiteCases.filter(({ stages = stageNames }) => !stages.includes('live')).map(({ id }) => id);
  expect(others).toEqual(['failure-recovery', 'failure-keeps-event']);
});

it.each(live)('%s on %s tells a real model all that its checks rely on', (_, backend, suiteCase) => {
  expect(missing(suiteCase, backend, suiteCase.setup(backend, 'live'))).toEqual([]);
});

it.each(live)('%s on %s tells how the loop is completed', (_, backend, suiteCase) => {
  const setup = suiteCase.setup(backend, 'live');
  // These have nobody who could complete it.
  if (['max-iterations', 'auth-failure', 'backend-unavailable'].includes(suiteCase.id)) return;
  expect(promptOf(setup)).toContain('LOOP_COMPLETE');
});

it('notices what a prompt does not say', () => {
  const suiteCase = suiteCases.find(({ id }) => id === 'events');
  const setup = suiteCase?.setup('claude', 'live');
  if (suiteCase === undefined || setup === undefined) throw new Error('there is no such case');
  expect(missing(suiteCase, 'claude', { ...setup, prompt: 'Report what you found.' })).toEqual([
    '<event topic="report.ready"',
    'two findings',
  ]);
});
