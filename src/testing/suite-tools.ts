import { dirname, join } from 'node:path';
import { defined, makeFolder } from '@understudy/kit';
import { programStep, turnStep } from '@understudy/runner';
import {
  type Conversation,
  type ConversationOptions,
  readableNextTo,
  type SessionPart,
  type Turn,
  totalUsage,
} from '@understudy/stage';
import type { OpenedTools, SuiteOf, ToolsOptions } from '@understudy/suites';
import {
  type CheckResult,
  checkEscapes,
  checkOutputCut,
  checkSupported,
  hasPassed,
  type StepResult,
} from '@understudy/verdict';
import { checkRun } from './judge-run.js';
import { checkTurn } from './judge-turn.js';
import { defaultOptions } from './options.js';
import type { ProgramExpectation, TurnExpectation } from './read-expectation.js';
import { heldBy, type ProgramResult, type RunProgramOptions, runPlaced } from './run-program.js';
import { TestHarness } from './test-harness.js';

/** How `runProgram` of a suite runs a program. */
export interface SuiteProgramOptions extends Omit<RunProgramOptions, 'stage' | 'agents' | 'signal' | 'cwd'> {
  /** The agents that the program finds on its PATH: that of the entry, by default. */
  agents?: readonly string[];
  /** The folder in which it runs, where it has no `project`: by default that of the entry, to which this is relative. */
  cwd?: string;
  /** What it must see in its sandbox, in addition to the folders of the entry's file and of the suite. */
  readable?: readonly string[];
}

/** What an entry of a suite is played with. Paths are relative to the file of the entry; when it ends, all of it goes. */
export interface SuiteTools {
  /** An empty folder for this entry. It is kept where the entry is red. */
  readonly folder: string;
  /** Aborts when the entry must end. What these tools started ends by itself. */
  readonly signal: AbortSignal;
  /** Runs a program to its end, with agents in place. A list is a program and its arguments; a text is a line for the shell. */
  runProgram(command: string | readonly string[], options: SuiteProgramOptions): Promise<ProgramResult>;
  /** Starts a conversation with the agent of the entry, on its stage. */
  startConversation(options?: Omit<ConversationOptions, 'stage' | 'signal'>): Promise<Conversation>;
  /** Holds a program against the `expect` of a `run` step, and gives a check for each of its fields. */
  checkRun(result: ProgramResult, expectation: ProgramExpectation): CheckResult[];
  /** The same for a turn, for the start or the end of a conversation, and for a whole one. */
  checkTurn(turn: Turn | Conversation | SessionPart, expectation: TurnExpectation): CheckResult[];
}

/** A suite of your own. Functions get and give plain data. */
export type OwnSuite<Data = unknown> = SuiteOf<Data, SuiteTools>;

/** Makes the tools of an entry. Checks that no suite has to make are in `finish()`. */
export function openSuiteTools(of: ToolsOptions): OpenedTools<SuiteTools> {
  const { entry, module, isolation: requested, folder: root, signal, output, onStep } = of;
  const { agent, stage, file } = entry;
  const from = dirname(file);
  const [folder, home, artifacts] = ['project', 'home', 'artifacts'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [folder, home]) makeFolder(path);
  const readable = [file, module].flatMap((path) => readableNextTo(path));
  const harness = new TestHarness(
    {
      ...defaultOptions,
      agent,
      stage,
      options: { ...defined({ isolation: requested, output }), signal, reach: { readable } },
    },
    from,
  );
  const started: (Conversation | ProgramResult)[] = [];
  const unchecked = new Set<ProgramResult>();
  /** The log of the first is that of the entry, which reports show. */
  const next = (what: string) => {
    const number = started.length + 1;
    onStep(number, number, what);
    return { number, artifacts: number === 1 ? artifacts : join(artifacts, String(number)) };
  };
  const tools: SuiteTools = {
    folder,
    signal,
    async runProgram(command, { readable: more = [], ...options }) {
      signal.throwIfAborted();
      const watched = next([command].flat().join(' '));
      const place = { from, cwd: folder, home, folder: join(root, `program-${watched.number}`), watched };
      const needs = { requested, writable: [folder, home], readable: [...readable, ...more], network: 'own' as const };
      const result = await runPlaced(
        command,
        { agents: [agent], ...options, stage, signal },
        { ...place, isolation: needs },
      );
      started.push(result);
      unchecked.add(result);
      return result;
    },
    async startConversation(options = {}) {
      signal.throwIfAborted();
      const { artifacts: log } = next(`a conversation with ${options.agent ?? agent}`);
      const conversation = await harness.start({ cwd: folder, artifacts: log, ...options });
      started.push(conversation);
      return conversation;
    },
    checkRun(result, expectation) {
      const { run, own } = heldBy(result);
      // What a stand-in refused is one of these checks.
      unchecked.delete(result);
      return checkRun(run, expectation, { own }).all;
    },
    checkTurn: (turn, expectation) => checkTurn(turn, expectation),
  };
  return {
    tools,
    async finish() {
      const broken = await harness.conclude();
      const events = started.flatMap((one) => ('turns' in one ? one.events : heldBy(one).run.all));
      const steps = started.flatMap((one) => ('turns' in one ? turnsOf(one) : programOf(one))).map(numbered);
      const called = steps.reduce((total, { run }) => total + (run?.calls.length ?? 0), 0);
      const looks = [
        ...started.flatMap((one) => ('turns' in one ? checkOutputCut(one.events) : leftChecks(one))),
        ...(of.escapes === 'any' ? [] : checkEscapes(events)),
        ...broken,
      ];
      return { steps, checks: looks.filter((check) => !hasPassed(check)), usage: totalUsage(events, called) };
    },
    close: async () => {
      await harness.conclude({ failed: true });
    },
  };

  function leftChecks(result: ProgramResult): CheckResult[] {
    const { run, script } = heldBy(result);
    return [...script, ...(unchecked.has(result) ? checkSupported(run.unsupported) : [])];
  }
}

function programOf(result: ProgramResult): StepResult[] {
  const { ended, calls } = heldBy(result).run;
  return ended === undefined ? [] : [programStep(ended, calls, { number: 0 })];
}

function turnsOf({ turns }: Conversation): StepResult[] {
  return turns.map((turn) => turnStep(turn, { number: 0 }));
}

function numbered(step: StepResult, index: number): StepResult {
  return { ...step, number: index + 1 };
}
