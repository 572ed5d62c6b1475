import { dirname, join } from 'node:path';
import type { PermissionPolicy, Stage } from '@understudy/agents';
import { defined, makeFolder, type OutputBudget, type OutputLimits, runAllSteps } from '@understudy/kit';
import { combinedUsage, responsesOf, type ScriptUsage } from '@understudy/script';
import {
  builtInWorkflows,
  Conversation,
  type ConversationOptions,
  type DeclaredPlugin,
  type DevServer,
  escapesOfProgram,
  loadWorkflow,
  outlineOf,
  pick,
  portsOf,
  startProjectServer,
  totalUsage,
} from '@understudy/stage';
import {
  type CheckResult,
  checkAnswered,
  checkDecided,
  checkEscapes,
  checkExpectations,
  checkHooksAlive,
  checkOutputCut,
  checkScript,
  checkServersAlive,
  checkUnreadable,
  combinedStatus,
  describeTool,
  namesTool,
  observedTools,
  type Place,
  QUESTION_TOOL,
  questionsIn,
  type StepResult,
} from '@understudy/verdict';
import type { Played } from '../run/entry.js';
import { environmentOf } from './agent-environment.js';
import { answersQuestions, asksForUntoldHooks, expectedHooks, takesAnyPlugin } from './asked-of-session.js';
import { besideRehearsal } from './beside-rehearsal.js';
import type { CassetteOptions } from './cassette.js';
import { checkSessionPart, within } from './expectations.js';
import { fromRehearsal, type Rehearsal } from './load.js';
import { checkLocator, rulePathOf } from './locate-checks.js';
import { hasUntoldHooks, type PluginLooks, projectOf } from './plugin-looks.js';
import { prepareProject } from './prepare-project.js';
import { ReplacedServers } from './replaced-servers.js';
import type { ProgramSteps } from './run-step.js';
import { hasTerminalProgram, isRunStep, type SendStep, type Step, sendStepsOf } from './schema.js';
import { checkSnapshot, type SnapshotOptions } from './snapshot.js';
import { describeStep, keepScreen, takeTurn } from './terminal-step.js';

export interface RehearseOptions {
  agent: string;
  /** The agents in place for programs, instead of those that the rehearsal names. */
  agents?: readonly string[] | undefined;
  stage: Stage;
  /** How far agents and programs are kept apart from this machine; by default the best that works. */
  isolation?: string | undefined;
  /** An empty folder for the project, the events and the requests. */
  folder: string;
  snapshots: SnapshotOptions;
  /** Its recording, and what is done with it. */
  cassette: CassetteOptions & { file: string };
  /** What was found out about plugins in this run. */
  pluginLooks: PluginLooks;
  /** Called when a step begins. */
  onStep?: (number: number, total: number, send: string) => void;
  /** Ends the conversation at once. */
  signal?: AbortSignal;
  /** What this rehearsal and others may write together. */
  output?: OutputBudget;
}

/** Plays a rehearsal once, on one agent and one stage. Errors of the harness are thrown. */
export async function rehearse(rehearsal: Rehearsal, options: RehearseOptions): Promise<Played> {
  const description = rehearsal.document.project ?? {};
  const from = dirname(rehearsal.file);
  const servers = new ReplacedServers(rehearsal.document.mcp ?? {}, { folder: join(options.folder, 'mcp'), from });
  const project = await prepareProject(description, join(options.folder, 'project'), from, (folder) =>
    servers.replaceInProject(folder),
  );
  options.signal?.throwIfAborted();
  if (description.serve !== true || project === undefined) return perform(rehearsal, options, servers);
  const server = await startProjectServer(project, defined({ isolation: options.isolation }));
  try {
    return await perform(rehearsal, options, servers, server);
  } finally {
    await server.stop();
  }
}

async function perform(
  rehearsal: Rehearsal,
  options: RehearseOptions,
  servers: ReplacedServers,
  server?: DevServer,
): Promise<Played> {
  const { document } = rehearsal;
  const url = server?.url;
  const { agent, stage, folder, signal } = options;
  const artifacts = join(folder, 'artifacts');
  makeFolder(artifacts);
  const talk = sendStepsOf(document).length === 0 ? undefined : await startTalk(rehearsal, options, servers, url);
  const cleanUps: (() => void | Promise<void>)[] = talk === undefined ? [] : [() => talk.end()];
  const steps: StepResult[] = [];
  const locate = checkLocator(rehearsal);
  let pluginChecks: CheckResult[] = [];
  let programs: ProgramSteps | undefined;
  try {
    if (document.steps.some(isRunStep)) {
      const agents = options.agents ?? document.agents ?? [agent];
      const { ProgramSteps: Steps } = await import('./run-step.js');
      programs = await Steps.open({
        ...{ rehearsal, agents, stage, folder, artifacts, signal, url, isolation: options.isolation },
        cassette: options.cassette,
        conversation: talk?.conversation,
      });
      const opened = programs;
      cleanUps.push(() => opened.close());
    }
    for (const [index, step] of document.steps.entries()) {
      signal?.throwIfAborted();
      options.onStep?.(index + 1, document.steps.length, describeStep(step));
      const place = within(locate, 'steps', index);
      steps.push(await takeAnyStep(withUrl(step, url), index + 1, { talk, programs, place }, rehearsal, options));
    }
    await programs?.endTerminal();
    if (talk !== undefined && !takesAnyPlugin(document)) {
      pluginChecks = await options.pluginLooks.check(talk.conversation, talk.plugins, {
        ...options,
        project: talk.project,
      });
    }
  } finally {
    await runAllSteps([...cleanUps, () => server?.stop()]);
  }
  if (talk !== undefined && !takesAnyPlugin(document)) {
    const { events } = talk.conversation;
    const calls = sendStepsOf(document).flatMap(({ expect }) => expect?.tools?.calls ?? []);
    pluginChecks.push(...checkHooksAlive(events, expectedHooks(document)), ...checkServersAlive(events, calls));
  }
  const parts =
    talk === undefined
      ? []
      : [
          ...checkSessionPart(talk.conversation.start, document.start?.expect, within(locate, 'start', 'expect')),
          ...checkSessionPart(talk.conversation.ending, document.end?.expect, within(locate, 'end', 'expect')),
        ];
  const usage = usageOf(talk?.conversation, programs);
  // A live model has no script that could be left unused.
  const scriptChecks =
    usage === undefined
      ? []
      : checkScript(
          usage,
          { unused: document.allow_unused, unanswered: document.allow_unanswered },
          stage === 'replay' ? 'cassette' : 'script',
        );
  const called = steps.reduce((total, { run }) => total + (run?.calls.length ?? 0), 0);
  return {
    steps,
    checks: [
      ...locate(['plugins'], pluginChecks),
      ...parts,
      // The rules of another file have no line in this one.
      ...(document.scenario === undefined
        ? scriptChecks.flatMap((check) => locate(rulePathOf(check), [check]))
        : locate(['scenario'], scriptChecks)),
      ...checkOutputCut(talk?.conversation.events ?? []),
      ...checkUnreadable([...pick(talk?.conversation.events ?? [], 'unreadable'), ...(programs?.unreadable ?? [])]),
      ...(document.escapes === 'any'
        ? []
        : locate(
            ['escapes'],
            checkEscapes([...(talk?.conversation.events ?? []), ...(programs?.done ?? [])], {
              asked: document.escapes !== undefined,
              served: escapesOfProgram(server?.attempts() ?? []),
            }),
          )),
    ],
    ...(document.workflow === undefined
      ? {}
      : { workflow: outlineOf(loadWorkflow(workflowOf(rehearsal, document.workflow))) }),
    usage: totalUsage(talk?.conversation.events ?? programs?.events ?? [], called),
  };
}

/** The conversation of the `send` steps. */
interface Talk {
  conversation: Conversation;
  plugins: readonly string[];
  /** What the project declares to the agent. */
  project: DeclaredPlugin | undefined;
  /** The step that answers questions for permission. */
  current: SendStep | undefined;
  end(): Promise<void>;
}

async function startTalk(
  rehearsal: Rehearsal,
  options: RehearseOptions,
  servers: ReplacedServers,
  url: string | undefined,
): Promise<Talk> {
  const { document, scenario } = rehearsal;
  const { agent, stage, folder, signal } = options;
  const plugins = servers.replaceInPlugins((document.plugins ?? []).map((plugin) => fromRehearsal(rehearsal, plugin)));
  const project = projectOf(agent, join(folder, 'project'));
  let talk: Talk | undefined;
  const conversation = await Conversation.start({
    ...{ agent, stage, scenario, cwd: join(folder, 'project'), artifacts: join(folder, 'artifacts') },
    ...(document.start?.timeout_ms === undefined ? {} : { deadlines: startDeadlines(document.start.timeout_ms) }),
    // Recording puts a shell in front of every command, so it is done only where it is needed.
    recordHooks:
      asksForUntoldHooks(document) ||
      hasUntoldHooks(plugins, project) ||
      (document.terminal !== undefined && expectedHooks(document).length > 0),
    plugins,
    ...cassetteIn(rehearsal, options),
    reach: {
      // The servers that take the place of others write down what they were asked.
      writable: [join(folder, 'mcp')],
      readable: besideRehearsal(rehearsal),
      ports: portsOf([url]),
    },
    ...defined({ terminal: document.terminal, isolation: options.isolation }),
    args: servers.arguments(agent),
    environment: environmentOf(document, rehearsal.file),
    limits: outputLimits(document.limits),
    ...defined({ output: options.output, signal }),
    ...(document.workflow === undefined ? {} : { workflow: workflowOf(rehearsal, document.workflow) }),
    // Only Claude Code asks: another agent refuses a rehearsal that wants to answer.
    permissions: answersQuestions(document) ? (request) => decide(talk?.current, request) : 'allow',
  });
  const abort = () => {
    // What goes wrong is thrown by `conversation.end()` below, too.
    conversation.abort('interrupted').catch(() => {});
  };
  signal?.addEventListener('abort', abort, { once: true });
  // It may have come while the agent started.
  if (signal?.aborted === true) abort();
  talk = {
    ...{ conversation, plugins, project, current: undefined },
    async end() {
      signal?.removeEventListener('abort', abort);
      await conversation.end();
    },
  };
  return talk;
}

/** The tools that the script calls. */
function scriptedTools({ document }: Rehearsal['scenario']): string[] {
  return [...responsesOf(document)].flatMap(({ response: { tool_calls = [], blocks = [] } }) => [
    ...tool_calls.map(({ tool }) => tool),
    ...blocks.flatMap((block) => (block.type === 'tool_use' ? [block.tool] : [])),
  ]);
}

/** What the conversation must know of its recording. */
function cassetteIn(rehearsal: Rehearsal, { stage, cassette }: RehearseOptions): Partial<ConversationOptions> {
  const { file, record, speed, fromTurn } = cassette;
  if (stage !== 'replay' && !(stage === 'live' && record === true)) return {};
  const { plugins, workflow, project } = rehearsal.document;
  // Where it lies decides how its paths begin: the cassette is beside the rehearsal.
  const setting = defined({ plugins, workflow, project });
  return { cassette: file, setting, ...defined({ record, speed, fromTurn }) };
}

function takeAnyStep(
  step: Step,
  number: number,
  { talk, programs, place }: { talk: Talk | undefined; programs: ProgramSteps | undefined; place: Place },
  rehearsal: Rehearsal,
  options: RehearseOptions,
): Promise<StepResult> | StepResult {
  if (isRunStep(step)) return programs?.take(step, number, place) ?? notReached(step, number);
  if (programs !== undefined && hasTerminalProgram(rehearsal.document)) return programs.type(step, number, place);
  if (talk === undefined || talk.conversation.hasDied) return notReached(step, number);
  talk.current = step;
  return takeStep(talk.conversation, step, number, rehearsal, options, place);
}

function withUrl(step: Step, url: string | undefined): Step {
  if (url === undefined || isRunStep(step)) return step;
  return { ...step, ...defined({ send: step.send?.replaceAll('{{url}}', url) }) };
}

/** On sim, a conversation and the programs each have a log of their own; elsewhere they share the server. */
function usageOf(conversation: Conversation | undefined, programs: ProgramSteps | undefined): ScriptUsage | undefined {
  const said = conversation?.scriptUsage();
  const run = programs?.usage();
  if (said === undefined || run === undefined) return said ?? run;
  return conversation?.server === undefined ? combinedUsage(said, run) : run;
}

async function takeStep(
  conversation: Conversation,
  step: SendStep,
  number: number,
  rehearsal: Rehearsal,
  options: RehearseOptions,
  place: Place,
): Promise<StepResult> {
  const turn = await takeTurn(conversation, step);
  keepScreen(turn, conversation.picture(), join(options.folder, 'artifacts'));
  const seen = {
    ...{ turn: turn.events, all: conversation.events, number: turn.number, workflow: conversation.workflow },
    told: () => conversation.told(turn.number),
    scripted: scriptedTools(rehearsal.scenario),
  };
  const expected = within(place, 'expect');
  const checks = checkExpectations(seen, step.expect, expected, rehearsal.checks);
  checks.push(
    ...Object.keys(step.answers ?? {}).flatMap((question) =>
      place(['answers', question], [checkAnswered(seen, question)]),
    ),
  );
  checks.push(
    ...Object.entries(step.permissions ?? {}).flatMap(([tool, decision]) =>
      tool === '*' ? [] : place(['permissions', tool], checkDecided(seen, tool, decision)),
    ),
  );
  if (step.expect?.snapshot === true) {
    const failed = combinedStatus(checks) !== 'passed';
    const version = pick(conversation.events, 'session').findLast((session) => session.version)?.version;
    const key = { rehearsal, agent: options.agent, step: number, version };
    checks.push(...expected(['snapshot'], [checkSnapshot(key, turn, conversation, { ...options.snapshots, failed })]));
  }
  const tools = observedTools(turn.events).map(describeTool);
  const moves = turn.transitions.map(({ from, to }) => ({ from, to }));
  return {
    number,
    ...defined({ name: step.name }),
    send: describeStep(step),
    reached: true,
    said: turn.text,
    ...(tools.length === 0 ? {} : { tools }),
    ...(moves.length === 0 ? {} : { workflow: moves }),
    outcome: turn.outcome,
    ...defined({ reason: turn.reason }),
    checks,
    duration_ms: Math.round(turn.milliseconds),
  };
}

function notReached(step: Step, number: number): StepResult {
  return {
    number,
    ...defined({ name: step.name }),
    send: describeStep(step),
    reached: false,
    said: '',
    checks: [],
    duration_ms: 0,
  };
}

function startDeadlines(milliseconds: number): { startMs: number; serversMs: number } {
  return { startMs: milliseconds, serversMs: milliseconds };
}

const MB = 1024 * 1024;

function outputLimits({ turn_mb, conversation_mb }: Rehearsal['document']['limits'] = {}): Partial<OutputLimits> {
  return {
    ...(turn_mb === undefined ? {} : { turnBytes: turn_mb * MB }),
    ...(conversation_mb === undefined ? {} : { conversationBytes: conversation_mb * MB }),
  };
}

function workflowOf(rehearsal: Rehearsal, name: string): string {
  return Object.hasOwn(builtInWorkflows, name) ? name : fromRehearsal(rehearsal, name);
}

/** What the step says of the tool, by its name before `*`; a tool of which it says nothing may run. A question gets its answers. */
function decide(
  step: SendStep | undefined,
  { tool, input }: Parameters<PermissionPolicy>[0],
): Awaited<ReturnType<PermissionPolicy>> {
  const permissions = step?.permissions ?? {};
  const name = Object.keys(permissions).find((wanted) => namesTool(wanted, tool)) ?? '*';
  if (permissions[name] === 'deny') return { behavior: 'deny', message: 'The user does not want this tool to run.' };
  if (tool !== QUESTION_TOOL || step?.answers === undefined) return { behavior: 'allow' };
  const asked = questionsIn(input);
  const answers = Object.entries(step.answers).filter(([question]) => asked.includes(question));
  return { behavior: 'allow', input: { ...input, answers: Object.fromEntries(answers) } };
}
