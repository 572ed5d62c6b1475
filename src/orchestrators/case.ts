import type { ScenarioDocument } from '../scenario/schema.js';
import type { Assertion } from './assertion.js';
import type { ConfigDocument } from './loop/config-schema.js';
import type { Observation } from './observation.js';

export const backends = ['claude', 'kiro', 'opencode'] as const;

export type Backend = (typeof backends)[number];

/** Stand-ins; the real CLIs on a scripted model; the real CLIs on real ones. */
export const stageNames = ['sim', 'scripted', 'live'] as const;

export type StageName = (typeof stageNames)[number];

/** The tiers of the suite, in order. */
export const tiers = [
  'Connectivity',
  'Orchestration',
  'Event System',
  'Capabilities',
  'Hat Collections',
  'Memory System',
  'Error Handling',
] as const;

export type Tier = (typeof tiers)[number];

/** One call of the orchestrator. `memory …` is said as the orchestrator's version wants it. */
export type Step = { run: readonly string[] } | { memory: readonly string[] } | { emit: readonly string[] };

/** Everything that a case needs before it can run, as data. */
export interface CaseSetup {
  /** ralph.yml; the backend is filled in. */
  config: ConfigDocument;
  prompt: string;
  /** What the model says, where it is scripted. */
  scenario: ScenarioDocument;
  files?: Readonly<Record<string, string>>;
  /** By default, one run. */
  steps?: readonly Step[];
  timeoutMs?: number;
  /** The backend's CLI is not on PATH. */
  withoutBackend?: boolean;
  /** Nobody is signed in. */
  loggedOut?: boolean;
}

/** What goes wrong without the thing under test: run as a variant of its own, it must fail. */
export interface Baseline {
  condition: string;
  expectedFailure: string;
  whyItMatters: string;
  change(setup: CaseSetup): CaseSetup;
  /** The assertions that must fail, by name. */
  fails: readonly string[];
}

/** Under what pressure the agent works. */
export interface PressureFactor {
  name: 'ambiguity' | 'complexity' | 'time' | 'conflict' | 'edge-case';
  description: string;
  whyPressure: string;
}

/** How well a passed case passed. */
export interface QualityCriterion {
  name: string;
  optimal: string;
  acceptable: string;
  concerning: string;
}

/** One entry of the suite. */
export interface SuiteCase {
  id: string;
  description: string;
  tier: Tier;
  /** The backends that it is made for; it runs on each. */
  backends: readonly Backend[];
  /** The stages that can play it: by default those with a script. On live, its prompt must say all. */
  stages?: readonly StageName[];
  setup(backend: Backend, stage: StageName): CaseSetup;
  check(observed: Observation, backend: Backend): Assertion[];
  baselines: readonly Baseline[];
  /** How many iterations a good run takes. */
  expectedIterations: number;
  pressure?: readonly PressureFactor[];
  quality?: readonly QualityCriterion[];
}
