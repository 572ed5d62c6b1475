import type { ScenarioDocument } from '@understudy/script';
import type { CheckResult } from '@understudy/verdict';
import type { ConfigDocument } from '../ralph/loop/config-schema.js';
import type { Observation } from './observation.js';

export const backends = ['claude', 'kiro', 'opencode'] as const;

export type Backend = (typeof backends)[number];

/** Stand-ins; the real CLIs on a scripted model, on what was recorded, and on their real models. */
export const stageNames = ['sim', 'scripted', 'replay', 'live'] as const;

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

/** One call of the orchestrator. */
export type CaseStep = { run: readonly string[] } | { memory: readonly string[] } | { emit: readonly string[] };

/** Everything that a case needs before it can run, as data. */
export interface CaseSetup {
  /** ralph.yml; the backend is filled in. */
  config: ConfigDocument;
  prompt: string;
  /** What the model says on stages with a script. */
  scenario: ScenarioDocument;
  files?: Readonly<Record<string, string>>;
  /** By default, one run. */
  steps?: readonly CaseStep[];
  timeoutMs?: number;
  /** The backend's CLI is not on PATH. */
  withoutBackend?: boolean;
  /** The backend's CLI is not signed in. */
  loggedOut?: boolean;
}

/** A variant of a case without the thing under test. It must fail: otherwise the case proves nothing. */
export interface Baseline {
  condition: string;
  expectedFailure: string;
  whyItMatters: string;
  change(setup: CaseSetup): CaseSetup;
  /** The checks that must fail, by name. */
  fails: readonly string[];
}

/** Something that makes the work of the agent harder. */
export interface PressureFactor {
  name: 'ambiguity' | 'complexity' | 'time' | 'conflict' | 'edge-case';
  description: string;
  whyPressure: string;
}

/** What distinguishes a good pass from a poor one. */
export interface QualityCriterion {
  name: string;
  optimal: string;
  acceptable: string;
  concerning: string;
}

/** One entry of the suite. */
export interface SuiteCase {
  /** The same on every backend, so it names none. */
  id: string;
  /** The id that the specification of the suite has for it, and that `--grep` still takes. */
  specifiedAs?(backend: Backend): string;
  description: string;
  tier: Tier;
  /** It runs on each of these. */
  backends: readonly Backend[];
  /** The stages that can play it; by default all. On live, the prompt must tell the model everything. */
  stages?: readonly StageName[];
  setup(backend: Backend, stage: StageName): CaseSetup;
  check(observed: Observation, backend: Backend): CheckResult[];
  /** The same with more time, where the machine was too slow for this setup to show anything. */
  withMoreTime?(setup: CaseSetup, observed: Observation): CaseSetup | undefined;
  baselines: readonly Baseline[];
  /** Most of its time it waits for a limit. */
  waits?: true;
  /** Only the orchestrator decides it: no model can miss it. */
  needsNoModel?: true;
  /** How many iterations a good run takes. */
  expectedIterations: number;
  pressure?: readonly PressureFactor[];
  quality?: readonly QualityCriterion[];
}
