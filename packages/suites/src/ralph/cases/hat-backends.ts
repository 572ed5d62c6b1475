import type { Backend, SuiteCase } from '../../orchestrators/case.js';
import { hatSequence } from '../checks/loop-checks.js';
import { NOT_RECORDED } from '../checks/observed-program.js';
import { condition, exitCode } from '../checks/program-checks.js';
import { ALL, BUILDER, built, objective, withHats } from './hat-setup.js';
import { configured, DONE, script } from './script.js';

const OTHER: Record<Backend, Backend> = { claude: 'kiro', kiro: 'opencode', opencode: 'claude' };

const override: SuiteCase = {
  id: 'hat-backend-override',
  description: 'A hat runs on the backend that it names, the others on the backend of the loop',
  tier: 'Hat Collections',
  backends: ALL,
  expectedIterations: 2,
  pressure: [
    { name: 'complexity', description: 'two CLIs in one run', whyPressure: 'the settings of one may reach the other' },
  ],
  quality: [
    {
      name: 'backends',
      optimal: 'each hat on its own backend, without extra iterations',
      acceptable: 'a start is repeated',
      concerning: 'a hat runs on the backend of the loop',
    },
  ],
  setup: (backend) => ({
    config: withHats({ builder: { ...BUILDER, backend: OTHER[backend] } }, 'build.task'),
    prompt: objective('Build the parser.', 'build.done'),
    scenario: script(['Event: build.done', DONE], ['Builder Instructions', built]),
  }),
  check: (observed, backend) => {
    const { iterations } = observed;
    const recorded = iterations.every((iteration) => iteration.hat !== undefined && iteration.backend !== undefined);
    const actual = iterations.map((iteration) => `${iteration.hat} on ${iteration.backend}`).join(', ');
    const expected = `builder on ${OTHER[backend]}, ralph on ${backend}`;
    return [
      exitCode(observed, 0),
      condition(
        'each hat on its backend',
        recorded ? actual === expected : undefined,
        expected,
        recorded ? actual : NOT_RECORDED,
      ),
    ];
  },
  baselines: [
    {
      condition: 'the hat names no backend',
      expectedFailure: 'all run on the backend of the loop',
      whyItMatters: 'it shows that the setting of the hat is used',
      change: (setup) => configured(setup, { hats: { builder: BUILDER } }),
      fails: ['each hat on its backend'],
    },
  ],
};

const KIRO_AGENT = { name: 'builder', description: 'Builds', prompt: 'You build what you are told.', tools: ['*'] };

const kiroAgent: SuiteCase = {
  id: 'hat-kiro-agent',
  description: 'A hat that names an agent of Kiro runs as this agent, the others as the default one',
  tier: 'Hat Collections',
  backends: ['kiro'],
  expectedIterations: 2,
  pressure: [
    { name: 'complexity', description: 'two agents of one CLI', whyPressure: 'the agent of one hat may stay for all' },
  ],
  quality: [
    {
      name: 'agents',
      optimal: 'the hat as its agent, the coordinator as the default one',
      acceptable: 'a start is repeated',
      concerning: 'both as the same agent',
    },
  ],
  setup: () => ({
    config: withHats({ builder: { ...BUILDER, backend: { type: 'kiro', agent: 'builder' } } }, 'build.task'),
    prompt: objective('Build the parser.', 'build.done'),
    files: { '.kiro/agents/builder.json': JSON.stringify(KIRO_AGENT) },
    scenario: script(['Event: build.done', DONE], ['Builder Instructions', built]),
  }),
  check: (observed) => {
    const agents = observed.iterations.map(({ command }) => {
      const flag = command.indexOf('--agent');
      return flag === -1 ? 'the default agent' : command[flag + 1];
    });
    const recorded = observed.iterations.every(({ command }) => command.length > 0);
    return [
      exitCode(observed, 0),
      hatSequence(observed, ['builder', 'ralph']),
      condition(
        'the agent of the hat, and no other',
        recorded ? agents.join(', ') === 'builder, the default agent' : undefined,
        'builder, the default agent',
        recorded ? agents.join(', ') : NOT_RECORDED,
      ),
    ];
  },
  baselines: [
    {
      condition: 'the hat names no agent',
      expectedFailure: 'the default agent is used',
      whyItMatters: 'it shows that the setting of the hat is used',
      change: (setup) => configured(setup, { hats: { builder: { ...BUILDER, backend: 'kiro' } } }),
      fails: ['the agent of the hat, and no other'],
    },
  ],
};

/** Tier 5: the backends of hats. */
export const hatBackendCases: readonly SuiteCase[] = [override, kiroAgent];
