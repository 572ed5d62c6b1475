import type { ProgramEnd, Unreadable } from '@understudy/kit';
import type { ScenarioDocument } from '@understudy/script';
import type { AgentCall } from '@understudy/stage';
import type { CheckResult } from '@understudy/verdict';
import type { ProgramEscape } from '../../ralph/checks/program-checks.js';
import type { EndState } from './ending.js';
import type { Contract } from './load-contract.js';

/** The groups of the generic cases, in order. */
export const genericGroups = ['Calls', 'Promise', 'Limits', 'Failing agents', 'Output', 'Surroundings'] as const;

/**
 * What is done to the end of every call: the last newline is cut, bytes that are no UTF-8 are put into the output, or it
 * fails after all that it said.
 */
export type OutputChange = 'no-newline' | 'bad-bytes' | 'then-fails';

/** One run of the orchestrator. */
export interface RunPlan {
  scenario: ScenarioDocument;
  /** Which agent of the contract, from 0; by default the one that the entry is about. */
  agent?: number;
  /** By default the first folder. */
  folder?: string;
  /** Continues what was there, with the command for that. */
  resume?: boolean;
  /** Ctrl-C, when this call has begun. */
  interruptAt?: number;
}

/** Everything that a generic case needs before it can run, as data. */
export interface GenericSetup {
  prompt: string;
  iterations: number;
  /** Seconds; without it, no run gets near it. */
  deadline?: number;
  /** The folder of the workspace. */
  folder: string;
  runs: readonly RunPlan[];
  /** All runs at the same time; otherwise one after the other. */
  together?: boolean;
  /** The agent's program is not there. */
  missing?: boolean;
  output?: OutputChange;
  /** Instead of the contract's own. */
  timeoutMs?: number;
}

/** What was seen of one run. */
export interface SeenRun extends ProgramEnd {
  /** The workspace. */
  cwd: string;
  state: EndState;
  leftovers: readonly string[];
  calls: readonly AgentCall[];
  /** Real agents that it tried to call. */
  refused: readonly string[];
  /** What it tried to reach outside of its sandbox. */
  escapes?: readonly ProgramEscape[];
  /** What was found in the place of its records and files, and not read. */
  unreadable?: readonly Unreadable[];
}

/** A variant of a case without the thing under test. It must fail. */
export interface GenericBaseline {
  condition: string;
  expectedFailure: string;
  whyItMatters: string;
  change(setup: GenericSetup): GenericSetup;
  fails: readonly string[];
}

/** A case that needs nothing of an orchestrator but its calls of agents and how it ends. */
export interface GenericCase {
  id: string;
  description: string;
  group: (typeof genericGroups)[number];
  expectedCalls: number;
  /** Why it cannot be played with this contract, if so. */
  skipReason?: string | undefined;
  /** Only with the first agent of the contract. */
  once?: boolean;
  setup: GenericSetup;
  check(runs: readonly SeenRun[], agent: string): CheckResult[];
  baselines: readonly GenericBaseline[];
}

/** The cases for a contract. */
export type CasesFor = (contract: Contract) => readonly GenericCase[];
