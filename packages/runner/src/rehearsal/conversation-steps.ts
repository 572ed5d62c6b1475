import { join } from 'node:path';
import type { ConversationEvent, PermissionPolicy } from '@understudy/agents';
import { defined, type OutputLimits, type Unreadable } from '@understudy/kit';
import { responsesOf, type ScriptUsage } from '@understudy/script';
import {
  builtInWorkflows,
  Conversation,
  type ConversationOptions,
  chooseIsolation,
  type DeclaredPlugin,
  pick,
  portsOf,
  requestedIsolation,
  type Turn,
} from '@understudy/stage';
import {
  type CheckResult,
  checkAnswered,
  checkDecided,
  checkExpectations,
  checkHooksAlive,
  checkModelStarted,
  checkServersAlive,
  combinedStatus,
  namesTool,
  type Place,
  QUESTION_TOOL,
  questionsIn,
  type StepResult,
  type Testimony,
} from '@understudy/verdict';
import { environmentOf } from './agent-environment.js';
import { settingArguments } from './claude-settings.js';
import { checkSessionPart, within } from './expectations.js';
import { fromRehearsal, type Rehearsal } from './load.js';
import { checkLocator } from './locate-checks.js';
import { hasUnreportedHooks, onlyCommandHooks, projectOf } from './plugin-looks.js';
import { filledAll } from './program-start.js';
import { readableNextToRehearsal } from './readable-next-to.js';
import type { RehearseOptions } from './rehearse-options.js';
import type { ReplacedServers } from './replaced-servers.js';
import { isRunStep, type SendStep, type Step, sendStepsOf } from './schema.js';
import type { Services } from './services.js';
import { answersQuestions, expectedHooks, expectsUnreportedHooks, takesAnyPlugin } from './session-needs.js';
import { checkSnapshot } from './snapshot.js';
import { notReached, type StepPlayer } from './step-player.js';
import { describeStep, keepScreen, takeTurn } from './terminal-step.js';
import { turnStep } from './turn-step.js';

interface Parts {
  rehearsal: Rehearsal;
  options: RehearseOptions;
  plugins: readonly string[];
  /** What the project declares to the agent. */
  project: DeclaredPlugin | undefined;
}

/** The steps of a rehearsal that speak with an agent: one conversation. */
export class ConversationSteps implements StepPlayer {
  readonly conversation: Conversation;
  readonly #of: Parts;
  /** It answers questions for permission. */
  #current: SendStep | undefined;
  #pluginChecks: CheckResult[] = [];
  readonly #abort = () => {
    // What goes wrong is thrown by `close`, too.
    this.conversation.abort('interrupted').catch(() => {});
  };

  private constructor(conversation: Conversation, parts: Parts) {
    this.conversation = conversation;
    this.#of = parts;
    const { signal } = parts.options;
    signal?.addEventListener('abort', this.#abort, { once: true });
    // It may have come while the agent started.
    if (signal?.aborted === true) this.#abort();
  }

  static async start(
    rehearsal: Rehearsal,
    options: RehearseOptions,
    servers: ReplacedServers,
    services: Services,
  ): Promise<ConversationSteps> {
    const { document, scenario } = rehearsal;
    const { agent, stage, model: modelName, folder, signal } = options;
    const plugins = servers.replaceInPlugins(
      (document.plugins ?? []).map((plugin) => fromRehearsal(rehearsal, plugin)),
    );
    const project = projectOf(agent, join(folder, 'project'));
    let steps: ConversationSteps | undefined;
    const conversation = await Conversation.start({
      ...{ agent, stage, scenario, cwd: join(folder, 'project'), artifacts: join(folder, 'artifacts') },
      ...(document.start?.timeout_ms === undefined ? {} : { deadlines: startDeadlines(document.start.timeout_ms) }),
      // Recording puts a shell in front of every command, so it is done only where it is needed.
      recordHooks:
        expectsUnreportedHooks(document) ||
        hasUnreportedHooks(plugins, project) ||
        // What the CLI prints of them is not enough where their own side can be believed.
        (stage !== 'live' && expectedHooks(document).length > 0 && (await tellsRecords(options.isolation))) ||
        (document.terminal !== undefined && expectedHooks(document).length > 0),
      plugins,
      ...defined({ askedBy: document.asked_by }),
      ...cassetteIn(rehearsal, options),
      reach: {
        // The servers that take the place of others write down what they were asked.
        writable: [join(folder, 'mcp')],
        readable: readableNextToRehearsal(rehearsal),
        ports: portsOf(services.urls),
      },
      ...defined({ terminal: document.terminal, isolation: options.isolation, modelName }),
      args: [...settingArguments(rehearsal, agent), ...servers.arguments(agent)],
      environment: { ...services.variables, ...filledAll(environmentOf(document, rehearsal.file), services.values) },
      limits: outputLimits(document.limits),
      ...defined({ output: options.output, signal }),
      ...(document.workflow === undefined ? {} : { workflow: workflowOf(rehearsal, document.workflow) }),
      // Only Claude Code asks: another agent refuses a rehearsal that wants to answer.
      permissions: answersQuestions(document)
        ? (request) => decide(steps === undefined ? undefined : steps.#current, request)
        : 'allow',
    });
    steps = new ConversationSteps(conversation, { rehearsal, options, plugins, project });
    return steps;
  }

  async take(step: Step, number: number, place: Place): Promise<StepResult> {
    const { conversation } = this;
    if (isRunStep(step) || conversation.hasDied) return notReached(step, number);
    this.#current = step;
    const turn = await takeTurn(conversation, step);
    keepScreen(turn, conversation.picture(), join(this.#of.options.folder, 'artifacts'));
    const checks = this.#judge(turn, step, number, place);
    return turnStep(turn, { number, name: step.name, send: describeStep(step), checks });
  }

  #judge(turn: Turn, step: SendStep, number: number, place: Place): CheckResult[] {
    const { conversation } = this;
    const { rehearsal, options } = this.#of;
    const seen = {
      ...{ turn: turn.events, all: conversation.events, number: turn.number, workflow: conversation.workflow },
      told: () => conversation.told(turn.number),
      scripted: scriptedTools(rehearsal.scenario),
    };
    const expected = within(place, 'expect');
    const checks = checkExpectations(seen, step.expect, expected, rehearsal.checks);
    for (const question of Object.keys(step.answers ?? {}))
      checks.push(...place(['answers', question], [checkAnswered(seen, question)]));
    for (const [tool, decision] of Object.entries(step.permissions ?? {}))
      if (tool !== '*') checks.push(...place(['permissions', tool], checkDecided(seen, tool, decision)));
    if (step.expect?.snapshot === true) {
      const failed = combinedStatus(checks) !== 'passed';
      const version = pick(conversation.events, 'session').findLast((session) => session.version)?.version;
      const key = { rehearsal, agent: options.agent, step: number, version };
      checks.push(
        ...expected(['snapshot'], [checkSnapshot(key, turn, conversation, { ...options.snapshots, failed })]),
      );
    }
    return checks;
  }

  /** The plugins are looked at while the session can still be asked. */
  async finish(): Promise<void> {
    const { rehearsal, options, plugins, project } = this.#of;
    if (takesAnyPlugin(rehearsal.document)) return;
    this.#pluginChecks = await options.pluginLooks.check(this.conversation, plugins, { ...options, project });
  }

  async close(): Promise<void> {
    this.#of.options.signal?.removeEventListener('abort', this.#abort);
    await this.conversation.end();
  }

  checks(): CheckResult[] {
    const { document } = this.#of.rehearsal;
    const { events, start, ending } = this.conversation;
    const locate = checkLocator(this.#of.rehearsal);
    const calls = sendStepsOf(document).flatMap(({ expect }) => expect?.tools?.calls ?? []);
    const alive = takesAnyPlugin(document)
      ? []
      : [...checkHooksAlive(events, expectedHooks(document)), ...checkServersAlive(events, calls)];
    return [
      ...locate(['plugins'], [...this.#pluginChecks, ...alive]),
      ...checkModelStarted(events, this.#of.options.model),
      ...checkSessionPart(start, document.start?.expect, within(locate, 'start', 'expect')),
      ...checkSessionPart(ending, document.end?.expect, within(locate, 'end', 'expect')),
    ];
  }

  get events(): readonly ConversationEvent[] {
    return this.conversation.events;
  }

  get unreadable(): Unreadable[] {
    return pick(this.events, 'unreadable');
  }

  testimonies(): Testimony[] {
    const { wire, events } = this.conversation;
    if (wire === undefined) return [];
    const last = events.at(-1)?.turn ?? 0;
    const turns = Array.from({ length: last + 1 }, (_, number) =>
      events.filter(({ turn, step }) => turn === number && step === undefined),
    );
    return [{ who: 'the agent', turns, wire, hooks: this.#hooksThatRan() }];
  }

  /** Not where a hook asks a model or an address: there is no command that could be recorded. */
  #hooksThatRan(): readonly string[] | undefined {
    const { plugins, project } = this.#of;
    return onlyCommandHooks(plugins, project) ? this.conversation.hooksThatRan : undefined;
  }

  usage(): ScriptUsage | undefined {
    return this.conversation.scriptUsage();
  }
}

async function tellsRecords(asked: string | undefined): Promise<boolean> {
  return (await chooseIsolation(requestedIsolation(asked))).level === 'sandbox';
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

export function workflowOf(rehearsal: Rehearsal, name: string): string {
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
