import { existsSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentName } from '@understudy/agents';
import { makeFolder, UntrustedFolder } from '@understudy/kit';
import { defineScenario } from '@understudy/script';
import { escapesOfProgram, initRepository, ProgramRun, programOf, writeSampleFiles } from '@understudy/stage';
import type { StageName } from '../case.js';
import { withWork } from './cases/script.js';
import { changeOutput } from './change-output.js';
import { commandIn, readableNextToContract } from './command.js';
import { endStateOf } from './ending.js';
import type { GenericSetup, RunPlan, SeenRun } from './generic-case.js';
import type { Contract } from './load-contract.js';
import { fillPlaceholders, type PlaceholderValues, PROMPT_FILE } from './placeholders.js';

/** What is tested, where, and with what. */
export interface PlanContext {
  contract: Contract;
  stage: Exclude<StageName, 'live' | 'replay'>;
  /** The agents that can be in place here. */
  agents: readonly AgentName[];
  /** The agent that the entry is about. */
  agent: AgentName;
  /** An empty folder. */
  folder: string;
  signal?: AbortSignal | undefined;
  /** How far the orchestrator and its agents are kept apart from this machine; by default the best that works. */
  isolation?: string | undefined;
}

/** A real CLI takes seconds where a stand-in takes a tenth of one. */
const REAL_CLI_PATIENCE = 6;
const NO_DEADLINE_SECONDS = 3600;

/** Runs the orchestrator once (`number` is from 1), with its agents in place, and says what was seen. */
export async function runPlan(
  plan: RunPlan,
  setup: GenericSetup,
  number: number,
  context: PlanContext,
): Promise<SeenRun> {
  const { contract, stage, folder } = context;
  const patience = stage === 'sim' ? 1 : REAL_CLI_PATIENCE;
  const agent = (plan.agent === undefined ? undefined : contract.agents[plan.agent]) ?? context.agent;
  const workspace = join(folder, plan.folder ?? setup.folder);
  makeFolder(workspace);
  const project = realpathSync(workspace);
  const values: PlaceholderValues = {
    ...{ prompt: setup.prompt, prompt_file: PROMPT_FILE, iterations: String(setup.iterations) },
    ...{ agent, program: programOf(agent), promise: contract.promise, here: contract.folder, project },
    deadline: String(setup.deadline === undefined ? NO_DEADLINE_SECONDS : setup.deadline * patience),
  };
  const fill = (text: string) => fillPlaceholders(text, values);
  if (plan.resume !== true) {
    writeFiles(project, setup.prompt, contract.files, fill);
    if (contract.git && !existsSync(join(project, '.git'))) await initRepository(project);
  }
  const own = join(folder, `.run-${number}`);
  // An earlier run may have put something there.
  rmSync(own, { recursive: true, force: true });
  const program = await ProgramRun.open({
    ...{ stage, scenario: defineScenario(withWork(plan.scenario, contract.work_file)) },
    ...{ folder: own, home: join(folder, '.home'), ownTemp: true },
    agents: setup.missing === true ? [] : context.agents,
    isolation: { requested: context.isolation, writable: [folder, own], readable: readableNextToContract(contract) },
  });
  try {
    if (setup.output !== undefined)
      for (const name of context.agents) changeOutput(join(own, 'bin'), programOf(name), setup.output);
    const run = await program.run(1, {
      command: commandIn(contract, plan.resume === true ? (contract.resume ?? []) : contract.run, fill),
      cwd: project,
      env: Object.fromEntries(Object.entries(contract.env ?? {}).map(([name, text]) => [name, fill(text)])),
      timeoutMs: (setup.timeoutMs ?? contract.timeout_ms) * patience,
      interrupted: context.signal,
      ...(plan.interruptAt === undefined
        ? {}
        : { signal: { send: 'SIGINT' as const, afterCall: plan.interruptAt, to: 'group' as const } }),
    });
    const { calls, refused } = program.agents.calls(1);
    const { hosts, attempts } = program.tried();
    const written = new UntrustedFolder(project);
    const state = endStateOf(contract, run, (file) => written.text(file));
    return {
      ...run,
      leftovers: run.leftovers ?? [],
      state,
      calls,
      // That a missing agent was looked for is what such a case is about.
      escapes: escapesOfProgram(attempts),
      unreadable: [...program.agents.unreadable, ...written.unreadable],
      refused: [...(setup.missing === true ? [] : refused), ...hosts],
    };
  } finally {
    await program.close();
  }
}

function writeFiles(
  project: string,
  prompt: string,
  files: Contract['files'] = {},
  fill: (text: string) => string,
): void {
  const all = { [PROMPT_FILE]: `${prompt}\n`, ...files };
  writeSampleFiles(
    project,
    Object.entries(all).map(([path, text]) => ({ path, content: path === PROMPT_FILE ? text : fill(text) })),
  );
}
