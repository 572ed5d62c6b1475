import { join, relative } from 'node:path';
import { defined, ownCommand, shellWord } from '@understudy/kit';
import { hasCassette } from '@understudy/model';
import { type Entry, type EntryFolder, folderNameOf, type Player } from '@understudy/runner';
import type { AgentState, CaseSection } from '@understudy/verdict';
import { type Backend, type CaseSetup, type SuiteCase, stageNames, tiers } from './case.js';
import { baselinesOn, type CaseContext, cassettesOf, playCase } from './play-case.js';
import { backendsOf, type CaseStage, hasScript } from './stage.js';
import type { Workspaces } from './workspace.js';

/** The identity of a case on a backend. It does not depend on an orchestrator. */
export type CaseIdentity = Pick<Entry, 'id' | 'kind' | 'name' | 'description' | 'tags' | 'group' | 'agent' | 'case'>;

export interface EntriesContext extends CaseContext {
  /** On replay: the stage of cases that have no recording yet. Without it, they fail. */
  recording?: CaseStage | undefined;
}

/** Cases as entries of a run: each on each of its backends that were chosen. */
export function caseEntries(
  cases: readonly SuiteCase[],
  backends: readonly Backend[],
  context: EntriesContext,
): Entry[] {
  const { recording } = context;
  return onBackends(cases, backends).map(({ suiteCase, backend }) => {
    if (recording === undefined || isRecorded(suiteCase, backend, context))
      return caseEntry(suiteCase, backend, context);
    return caseEntry(suiteCase, backend, { ...context, stage: recording });
  });
}

/** Plays these cases, each on its backend and its stage. */
export function casePlayer(cases: readonly SuiteCase[], context: EntriesContext): Player {
  const stages = [context.stage, context.recording].flatMap((stage) =>
    stage === undefined ? [] : [rememberingStates(stage)],
  );
  const found = (entry: Entry) => {
    const suiteCase = cases.find(({ id }) => id === entry.case?.id);
    const backend = suiteCase?.backends.find((name) => name === entry.agent);
    const stage = stages.find(({ name }) => name === entry.stage);
    if (suiteCase === undefined || backend === undefined || stage === undefined)
      throw new Error(`there is no case for ${entry.id} on ${entry.stage}`);
    return { suiteCase, backend, stage };
  };
  return {
    skipReason(entry) {
      const { suiteCase, backend, stage } = found(entry);
      return missingBackend(suiteCase, backend, stage);
    },
    play(entry, { folder, signal, output, onStep }) {
      const { stage, ...played } = found(entry);
      const workspace = relative(context.workspaces.root, folder);
      return playCase({ ...played, workspace }, { ...context, stage, signal, ...defined({ output }) }, onStep);
    },
  };
}

/** The names of the cases that these backends can run. */
export function caseIdentities(cases: readonly SuiteCase[], backends: readonly Backend[]): CaseIdentity[] {
  return onBackends(cases, backends).map(({ suiteCase, backend }) => identityOf(suiteCase, backend));
}

function onBackends(cases: readonly SuiteCase[], backends: readonly Backend[]) {
  return cases.flatMap((suiteCase) =>
    suiteCase.backends.filter((backend) => backends.includes(backend)).map((backend) => ({ suiteCase, backend })),
  );
}

function caseEntry(suiteCase: SuiteCase, backend: Backend, context: CaseContext): Entry {
  const { orchestrator, stage } = context;
  const identity = identityOf(suiteCase, backend);
  const words = [
    ...['e2e', backend, '--grep', fullName(suiteCase, backend)],
    ...(stage.name === 'scripted' ? [] : ['--stage', stage.name]),
    ...(stage.records === true ? ['--record'] : []),
    ...(context.isolation === undefined ? [] : ['--isolation', context.isolation]),
    // The command of our own loop has more than one word.
    ...(orchestrator.command.length === 1 ? ['--ralph', ...orchestrator.command] : ['--loop']),
    ...['--verbose', '--keep-workspace'],
  ];
  return {
    ...identity,
    stage: stage.name,
    round: 1,
    calls: callsOf(suiteCase, backend, context),
    runsProgram: true,
    mayMiss: suiteCase.needsNoModel !== true,
    ...defined({ waits: suiteCase.waits }),
    rerun: `${ownCommand()} ${words.map(shellWord).join(' ')}`,
    folderName: identity.id,
    isolation: stage.usesOwnLogin === true ? OWN_LOGIN : { requested: context.isolation },
    ...defined({ skip: skipOf(suiteCase, stage) }),
    player: 'case',
  };
}

/** The login is in the home of the user, which an isolation would hide. */
const OWN_LOGIN = { requested: 'none', reason: 'this stage uses the login of the user' };

/** Whether there is a recording of everything in a case that asks a model. */
function isRecorded(suiteCase: SuiteCase, backend: Backend, context: CaseContext): boolean {
  const setups = setupsOf(suiteCase, backend, context);
  return cassettesOf({ suiteCase, backend }, setups.length - 1, context).every(
    (file, index) => setups[index]?.withoutBackend === true || hasCassette(file),
  );
}

/** What is set up for a case, and for each of its baselines. */
function setupsOf(suiteCase: SuiteCase, backend: Backend, { stage, withBaselines }: CaseContext): CaseSetup[] {
  const setup = suiteCase.setup(backend, stage.name);
  const baselines = withBaselines ? baselinesOn(stage, suiteCase, backend) : [];
  return [setup, ...baselines.map(({ change }) => change(setup))];
}

/** The calls of agents that a case and its baselines make. */
function callsOf(suiteCase: SuiteCase, backend: Backend, context: CaseContext): NonNullable<Entry['calls']> {
  const all = setupsOf(suiteCase, backend, context).filter((one) => one.withoutBackend !== true);
  const runsOf = ({ steps = [{ run: [] }] }: CaseSetup) => steps.filter((step) => 'run' in step).length;
  const limitOf = ({ config }: CaseSetup) => config.event_loop?.max_iterations ?? 100;
  return {
    expected: all.reduce((total, one) => total + runsOf(one) * suiteCase.expectedIterations, 0),
    most: all.reduce((total, one) => total + runsOf(one) * limitOf(one), 0),
  };
}

function identityOf(suiteCase: SuiteCase, backend: Backend): CaseIdentity {
  const { tier, description } = suiteCase;
  const id = fullName(suiteCase, backend);
  const specified = suiteCase.specifiedAs?.(backend);
  return {
    ...{ id, kind: 'case', name: id, description, agent: backend },
    tags: [tier, ...(specified === undefined ? [] : [`${specified}@${backend}`])],
    group: `Tier ${tiers.indexOf(tier) + 1}: ${tier}`,
    case: sectionOf(suiteCase),
  };
}

function fullName({ id }: SuiteCase, backend: Backend): string {
  return `${id}@${backend}`;
}

function sectionOf({ id, expectedIterations, pressure = [], quality = [] }: SuiteCase): CaseSection {
  return {
    id,
    expected_iterations: expectedIterations,
    pressure_factors: pressure.map(({ name, description, whyPressure }) => ({
      ...{ name, description, why_pressure: whyPressure },
    })),
    quality_criteria: [...quality],
  };
}

function skipOf({ stages = stageNames }: SuiteCase, { name }: CaseStage): string | undefined {
  return stages.includes(name) ? undefined : `it cannot be played on the stage ${name}: only stand-ins can fail so`;
}

/** Why a case cannot be run on this machine, if so. */
async function missingBackend(suiteCase: SuiteCase, backend: Backend, stage: CaseStage): Promise<string | undefined> {
  // A hat may need another backend. On stages with a script its stand-in is there.
  const needed = hasScript(stage.name) ? [backend] : backendsOf(backend, suiteCase.setup(backend, stage.name));
  for (const name of needed) {
    const { available, authenticated, detail } = await stage.state(name);
    if (!available || !authenticated) return detail;
  }
  return undefined;
}

/** A stage that looks for each backend once: what is installed does not change during a run. */
function rememberingStates(stage: CaseStage): CaseStage {
  const states = new Map<Backend, Promise<AgentState>>();
  return {
    ...stage,
    state(backend) {
      const state = states.get(backend) ?? stage.state(backend);
      states.set(backend, state);
      return state;
    },
  };
}

/** The workspaces of cases as folders of entries. What is kept stays where it is. */
export function workspaceFolders(workspaces: Workspaces): (entry: Entry) => EntryFolder {
  return (entry) => {
    const name = folderNameOf(entry);
    const path = join(workspaces.root, name);
    let kept = false;
    return {
      path,
      async keep() {
        kept = true;
        return path;
      },
      async remove() {
        if (!kept) await workspaces.remove(name);
      },
    };
  };
}
