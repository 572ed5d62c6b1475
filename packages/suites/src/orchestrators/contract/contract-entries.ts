import { relative } from 'node:path';
import { type AgentName, agents, findAgent } from '@understudy/agents';
import { defined, ownCommand, shellWord, UnderstudyError } from '@understudy/kit';
import type { Entry, Player } from '@understudy/runner';
import type { AgentState } from '@understudy/verdict';
import type { CaseIdentity } from '../case-entries.js';
import { genericCases } from './cases/index.js';
import type { GenericCase } from './generic-case.js';
import type { Contract } from './load-contract.js';
import { playGenericCase } from './play-generic-case.js';
import type { PlanContext } from './run-plan.js';

export interface ContractEntriesContext extends Pick<PlanContext, 'contract' | 'stage'> {
  states: readonly AgentState[];
  withBaselines: boolean;
  isolation?: string | undefined;
}

/** The generic cases as entries of a run: each on each agent of the contract that was chosen. */
export function contractEntries(chosen: readonly AgentName[], context: ContractEntriesContext): Entry[] {
  const { contract, stage, isolation } = context;
  return onAgents(contract, chosen).map(({ played, agent }): Entry => {
    const identity = identityOf(played, agent);
    const words = [
      ...['e2e', '--contract', relative('.', contract.file), '--grep', identity.id],
      ...(stage === 'scripted' ? [] : ['--stage', stage]),
      ...(isolation === undefined ? [] : ['--isolation', isolation]),
      ...['--verbose', '--keep-workspace'],
    ];
    return {
      ...identity,
      stage,
      round: 1,
      runsProgram: true,
      rerun: `${ownCommand()} ${words.map(shellWord).join(' ')}`,
      folderName: identity.id,
      isolation: { requested: isolation },
      ...defined({ skip: skipReason(played, agent, context) }),
      player: 'contract',
    };
  });
}

/** Plays the generic cases with the program of a contract. */
export function contractPlayer({ states, ...context }: ContractEntriesContext): Player {
  const { contract } = context;
  const agents = contract.agents.filter((name) => isUsable(states, name));
  const cases = genericCases(contract);
  return {
    play(entry, { folder, signal, onStep }) {
      const played = cases.find(({ id }) => id === entry.case?.id);
      const agent = contract.agents.find((name) => name === entry.agent);
      if (played === undefined || agent === undefined) throw new Error(`there is no case for ${entry.id}`);
      return playGenericCase(played, { ...context, agents, agent, folder, signal }, onStep);
    },
  };
}

/** The names of the cases that can be played with a contract. */
export function contractIdentities(contract: Contract, chosen: readonly AgentName[]): CaseIdentity[] {
  return onAgents(contract, chosen).map(({ played, agent }) => identityOf(played, agent));
}

function onAgents(contract: Contract, chosen: readonly AgentName[]) {
  const agents = contract.agents.filter((agent) => chosen.includes(agent));
  return genericCases(contract).flatMap((played) =>
    (played.once === true ? agents.slice(0, 1) : agents).map((agent) => ({ played, agent })),
  );
}

function identityOf({ id: caseId, description, group, expectedCalls }: GenericCase, agent: AgentName): CaseIdentity {
  const id = `${caseId}@${agent}`;
  return {
    ...{ id, kind: 'case', name: id, description, agent, group, tags: [group, id] },
    case: { id: caseId, expected_iterations: expectedCalls, pressure_factors: [], quality_criteria: [] },
  };
}

function skipReason(
  { skipReason: reason, once }: GenericCase,
  agent: AgentName,
  { states, contract }: ContractEntriesContext,
): string | undefined {
  if (reason !== undefined) return reason;
  const needed = once === true ? contract.agents.slice(0, 2) : [agent];
  const missing = needed.find((name) => !isUsable(states, name));
  return states.find((state) => state.agent === missing)?.detail;
}

function isUsable(states: readonly AgentState[], agent: AgentName): boolean {
  return states.some((state) => state.agent === agent && state.available);
}

/** Which agents of a contract can be in place on a stage. */
export async function agentStates(
  contract: Contract,
  stage: PlanContext['stage'],
  version: string,
): Promise<AgentState[]> {
  return Promise.all(
    contract.agents.map(async (agent): Promise<AgentState> => {
      const missing = { agent, version: null, available: false, authenticated: false };
      if (!agents[agent].stages.includes(stage))
        return {
          ...missing,
          detail: `${agent} ${stage === 'sim' ? 'has no stand-in; use the stage scripted' : 'cannot be pointed at a scripted model; use the stage sim'}`,
        };
      if (stage === 'sim') return { agent, version, available: true, authenticated: true, detail: 'stand-in' };
      try {
        const found = await findAgent(agent);
        const detail = 'a fake key, on the scripted model';
        return { agent, version: found.version, available: true, authenticated: true, detail };
      } catch (error) {
        if (error instanceof UnderstudyError) return { ...missing, detail: `${error.message}: ${error.fix ?? ''}` };
        throw error;
      }
    }),
  );
}
