import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { defined, type OutputBudget, redactAll, redactor, UntrustedFolder } from '@understudy/kit';
import { type Attempt, escapesOfProgram, ProgramRun } from '@understudy/stage';
import { pathFor } from '../ralph/dialect.js';
import { readRalphRecords } from '../ralph/ralph-records.js';
import { writeAgainScript } from './again-script.js';
import { readCalls } from './agent-calls.js';
import type { Backend, CaseSetup } from './case.js';
import { captureContext } from './context.js';
import type { ProgramContext } from './context-schema.js';
import { type Observation, observe, type StepRun } from './observation.js';
import { argumentsOf, type Orchestrator } from './orchestrator.js';
import type { CaseStage } from './stage.js';
import type { Workspaces } from './workspace.js';

/** What is tested, where, and in which folders. */
export interface SetupContext {
  orchestrator: Orchestrator;
  stage: CaseStage;
  workspaces: Workspaces;
  /** Ends what runs. */
  signal?: AbortSignal | undefined;
  /** What this case and others may write together. */
  output?: OutputBudget;
  /** How far the orchestrator and its agents are kept apart from this machine; by default the best that works. */
  isolation?: string | undefined;
  /** The recording that is played or written, on stages that have one. */
  cassette?: string | undefined;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** A real CLI takes seconds where a stand-in takes a tenth of one. */
const REAL_CLI_PATIENCE = 6;
/** Where a Ralph keeps what it writes. */
const RUN_FOLDERS = ['.ralph', '.agent'];
const SCRATCHPAD = '.ralph/agent/scratchpad.md';

/** Makes a workspace, runs the orchestrator in it step by step, and observes what it does; `capture` holds all of it. */
export async function runSetup(
  id: string,
  setup: CaseSetup,
  backend: Backend,
  surroundings: SetupContext,
): Promise<{ observation: Observation; capture(): ProgramContext }> {
  const { command: program, dialect } = surroundings.orchestrator;
  const pathOf = (file: string) => pathFor(file, dialect);
  const files = Object.fromEntries(Object.entries(setup.files ?? {}).map(([file, text]) => [pathOf(file), text]));
  const workspace = surroundings.workspaces.create(id, { ...setup, files }, backend);
  // For the programs of the harness, and for what a Ralph records on request.
  mkdirSync(join(workspace, '.home'), { recursive: true });
  const { stage, cassette } = surroundings;
  const around = await stage.prepare({ workspace, setup, backend, cassette });
  const patience = stage.name === 'sim' ? 1 : REAL_CLI_PATIENCE;
  const deadline = performance.now() + (setup.timeoutMs ?? DEFAULT_TIMEOUT_MS) * patience;
  const steps = setup.steps ?? [{ run: [] }];
  const planned = steps.map((step, index) => ({
    command: [...program, ...argumentsOf(step, dialect)],
    env: dialect.environment(workspace, index, stage.name),
  }));
  const runs: StepRun[] = [];
  const escapes: Attempt[] = [];
  const programs = await ProgramRun.around(
    { environment: () => around.env, server: around.server, close: () => around.close() },
    {
      // Real CLIs leave sockets, libraries and folders in their temp folder.
      ...{ stage: stage.name, ownTemp: true, letsOut: true },
      isolation: {
        requested: stage.usesOwnLogin === true ? 'none' : surroundings.isolation,
        ...{ writable: [workspace], readable: program },
      },
    },
  );
  try {
    for (const [index, { command, env }] of planned.entries()) {
      const { signal: interrupted, output } = surroundings;
      const timeoutMs = Math.max(1, deadline - performance.now());
      const {
        leftovers = [],
        cwd: _,
        ...ended
      } = await programs.run(index + 1, {
        ...{ command, cwd: workspace, env, timeoutMs, interrupted, output },
      });
      const run = { ...ended, leftovers };
      runs.push(run);
      around.seen?.({ type: 'program', ...endOf(run) });
      escapes.push(...escapesOfProgram(programs.tried().attempts));
      if (run.timedOut || surroundings.signal?.aborted === true) break;
    }
  } finally {
    await programs.close();
  }
  const lastRun = steps.slice(0, runs.length).findLastIndex((step) => 'run' in step);
  const written = new UntrustedFolder(workspace);
  const { records } = programs.isolation;
  const told = records === undefined || stage.name === 'sim' ? undefined : { by: records, workspace };
  const facts = dialect.records === 'ralph' ? readRalphRecords(written, readCalls(written, lastRun, told)) : undefined;
  // Before a text is cut, quoted or compared: half a secret is not recognized as one.
  const redact = redactor({ ...process.env, ...around.env });
  const replayed = around.usage?.();
  const seen = { ...observe(written, runs, facts, pathOf), escapes, ...defined({ replayed }) };
  const observation = { ...redactAll(seen, redact), read: (file: string) => redactIfThere(seen.read(file), redact) };
  const scratchpadFile = setup.config.core?.scratchpad ?? pathOf(SCRATCHPAD);
  const scratchpadBefore = files[scratchpadFile];
  const source = { workspace: written, observation, scratchpadBefore, scratchpadFile, redact };
  const capture = (): ProgramContext => {
    const context = captureContext(source);
    // Other stages need a model server or a login, which no script may have.
    return stage.name === 'sim' ? { ...context, run_again: writeAgain() } : context;
  };
  const leftByRun = [...RUN_FOLDERS, '.home/play-state.json', '.home/session.jsonl'];
  const writeAgain = () => writeAgainScript({ workspace, files, leftByRun, env: around.env, steps: planned });
  return { observation, capture };
}

/** What a recording says of a call of the orchestrator: what it printed is in the files and on the wire. */
function endOf({ command, code, signal, milliseconds }: StepRun) {
  return { command, code, signal, milliseconds };
}

function redactIfThere(text: string | undefined, redact: (text: string) => string): string | undefined {
  return text === undefined ? undefined : redact(text);
}
