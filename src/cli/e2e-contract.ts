import type { AgentName } from '@understudy/agents';
import { shellWord, UnderstudyError } from '@understudy/kit';
import type { Playable } from '@understudy/runner';
import {
  agentStates,
  type CaseIdentity,
  type Contract,
  contractEntries,
  contractIdentities,
  contractPlayer,
  loadContract,
  type StageName,
  versionOf,
} from '@understudy/suites';
import type { AgentState, RunResult } from '@understudy/verdict';
import { version } from './version.js';

/** What a run of the suite plays, and about whom it says something. */
export interface Subject extends Playable {
  /** What is known of these agents. */
  states(agents: readonly string[]): Promise<AgentState[]>;
  orchestrator: NonNullable<RunResult['orchestrator']>;
  /** Asks an agent what the results mean. */
  analyze?(run: RunResult, signal: AbortSignal): Promise<RunResult>;
}

export interface ContractOptions {
  stage: StageName;
  skipBaselines?: true;
  isolation?: string;
}

function chosenAgents(contract: Contract, backend: string): AgentName[] {
  const chosen = contract.agents.filter((agent) => backend === 'all' || backend === agent);
  if (chosen.length > 0) return chosen;
  throw new UnderstudyError('NOTHING_TO_RUN', `the contract of ${contract.name} does not have the agent ${backend}`, {
    fix: `Name one of ${contract.agents.join(', ')}, or add it to \`agents\`.`,
  });
}

/** The generic cases of an orchestrator that a contract describes. */
export async function contractSubject(file: string, backend: string, options: ContractOptions): Promise<Subject> {
  const contract = loadContract(file);
  const chosen = chosenAgents(contract, backend);
  const { stage } = options;
  if (stage === 'live' || stage === 'replay') {
    throw new UnderstudyError(
      'CONTRACT_STAGE',
      `the cases for orchestrators by contract cannot be played on the stage ${stage}`,
      { fix: 'Use --stage sim or --stage scripted.' },
    );
  }
  const states = await agentStates(contract, stage, version);
  const { isolation } = options;
  const context = { contract, stage, states, withBaselines: options.skipBaselines !== true, isolation };
  return {
    entries: contractEntries(chosen, context),
    players: { contract: contractPlayer(context) },
    states: async (agents) => states.filter(({ agent }) => agents.includes(agent)),
    orchestrator: {
      kind: 'contract',
      version: await versionOf(contract),
      command: contract.run.map(shellWord).join(' '),
    },
  };
}

/** The names of the cases for a contract. */
export function listContractCases(file: string, backend: string): CaseIdentity[] {
  const contract = loadContract(file);
  return contractIdentities(contract, chosenAgents(contract, backend));
}
