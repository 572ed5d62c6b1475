import { isAbsolute, join, resolve } from 'node:path';
import {
  createScratch,
  defined,
  type Environment,
  filesOfPart,
  isInside,
  type Scratch,
  UnderstudyError,
} from '@understudy/kit';
import { type ProjectDescription, prepareProject } from '@understudy/runner';
import type { ScriptUsage } from '@understudy/script';
import { builtInWorkflows, Conversation, type ConversationOptions, pick, scenarioOf } from '@understudy/stage';
import {
  type CheckResult,
  checkScript,
  checkSupported,
  checkUnreadable,
  describeChecks,
  hasPassed,
} from '@understudy/verdict';
import { describeTurns } from './describe-turns.js';
import type { RehearsalOptions } from './options.js';
import { loadChecks, type OwnCheckList, rememberChecks } from './own-checks.js';
import { PlacedAgents } from './placed-agents.js';
import { readably, withoutStack, withReadableErrors } from './readable-error.js';
import { copyPlugin, type TestPlugin } from './test-plugin.js';

/** All that one test starts and makes. When the test ends, however it does, all of it goes. */
export class TestHarness {
  readonly #options: RehearsalOptions;
  /** The folder of the test file: what paths are relative to. */
  readonly #from: string;
  readonly #scratch: Scratch;
  readonly #started: Conversation[] = [];
  readonly #placed: PlacedAgents[] = [];
  /** Problems that were reported already. */
  readonly #told = new Set<string>();
  /** The files and folders that the test reads by way of us. It grows while the test runs. */
  readonly reads: string[] = [];
  #ended = false;
  #folders = 0;

  constructor(options: RehearsalOptions, from: string) {
    this.#options = options;
    this.#from = from;
    this.#scratch = createScratch('test');
  }

  /** Makes a project in a folder of its own, as the option `project` says, and gives the folder. */
  project(description: ProjectDescription = this.#options.project): Promise<string> {
    return readably(async () => {
      const folder = this.#newFolder('project');
      await prepareProject(description, folder, this.#from);
      return folder;
    });
  }

  /** Copies a plugin, by default the first of `plugins`, so that the test may change it. */
  plugin(path: string | undefined = this.#options.plugins[0]): TestPlugin {
    return readably(() => {
      if (path === undefined) {
        throw new UnderstudyError('NO_PLUGIN_NAMED', 'the test names no plugin', {
          fix: "Say which: test.override({ plugins: ['./my-plugin'] }).",
        });
      }
      const original = resolve(this.#from, path);
      this.#note([original]);
      const plugin = copyPlugin(original, this.#newFolder('plugin'));
      return withReadableErrors(plugin, ['write', 'rename', 'remove']);
    });
  }

  /** Starts a conversation as the options say; what is given here overrides them. */
  start(more: ConversationOptions = {}): Promise<Conversation> {
    return readably(() => this.#start(more));
  }

  async #start(given: ConversationOptions): Promise<Conversation> {
    const { agent, stage, plugins, workflow, options: more } = this.#options;
    const options: ConversationOptions = {
      agent,
      stage,
      ...defined({ scenario: this.#options.scenario }),
      plugins,
      ...defined({ workflow }),
      ...more,
      ...given,
    };
    const files = {
      scenario: this.#scenario(options),
      cassette: options.cassette === undefined ? undefined : resolve(this.#from, options.cassette),
      plugins: (options.plugins ?? []).map((plugin) => resolve(this.#from, plugin)),
      workflow: options.workflow === undefined ? undefined : this.#workflow(options.workflow),
    };
    this.#note([files.scenario, files.cassette, ...files.plugins, files.workflow]);
    const cwd = options.cwd ?? (await this.project());
    const checks = this.#checks();
    const started = await Conversation.start({ ...options, ...defined(files), cwd });
    // The test may have timed out while the agent started.
    if (this.#ended) await started.abort('the test has ended');
    this.#started.push(started);
    rememberChecks(started, checks);
    return started;
  }

  /** Puts agents in place: for the test's own process, and for the programs that it runs. */
  place({ agents, environment }: { agents?: readonly string[]; environment: Environment }): Promise<PlacedAgents> {
    return readably(async () => {
      const { agent, stage, scenario } = this.#options;
      const script = this.#scenario({ ...defined({ scenario }) });
      this.#note([script]);
      const placed = await PlacedAgents.start({
        ...{ agents: agents ?? [agent], stage, environment, checks: this.#checks() },
        scenario: scenarioOf(defined({ scenario: script })),
        folder: this.#newFolder('agents'),
      });
      this.#placed.push(placed);
      return placed;
    });
  }

  /** Whether a folder is one that this test made. */
  owns(folder: string): boolean {
    return isInside(this.#scratch.path, folder);
  }

  /** What the conversations and programs did against their scripts so far, and was not reported yet. */
  problems({ failed = false } = {}): string[] {
    const fresh = this.#scriptProblems(failed).filter((text) => !this.#told.has(text));
    for (const text of fresh) this.#told.add(text);
    return fresh;
  }

  /** What was said and called so far. */
  describe(): string {
    const said = this.#started.flatMap(({ turns }) => (turns.length === 0 ? [] : [describeTurns(turns)]));
    return [...said, ...this.#placed.map((placed) => placed.describe())].filter((text) => text !== '').join('\n\n');
  }

  /**
   * Ends the conversations and removes the folders. A conversation that did not follow its script is an error; a test
   * that failed by itself reports only what nothing answered, and one that timed out the conversation so far.
   */
  async end(how: { failed?: boolean; timedOut?: boolean } = {}): Promise<void> {
    const told = await this.finish(how);
    if (told.length > 0) throw withoutStack(told.join('\n\n'));
  }

  /** As `end`, but returns what there is to report. */
  async finish({ failed = false, timedOut = false } = {}): Promise<string[]> {
    const told = () => [...this.problems({ failed }), ...(timedOut ? this.#soFar() : [])];
    return readably(() => this.#finish(failed, told));
  }

  /** The same, with what there is to tell as checks. */
  conclude({ failed = false } = {}): Promise<CheckResult[]> {
    return this.#finish(failed, () => this.#broken(failed).flatMap(({ checks }) => checks));
  }

  async #finish<T>(failed: boolean, tell: () => T): Promise<T> {
    this.#ended = true;
    const ends = await Promise.allSettled([
      ...this.#started.map((conversation) => (failed ? conversation.abort('the test failed') : conversation.end())),
      ...this.#placed.map((placed) => placed.close()),
    ]);
    try {
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      return tell();
    } finally {
      await this.#scratch.remove();
    }
  }

  #soFar(): string[] {
    const told = this.#started.map(({ turns }) => (turns.length === 0 ? 'no prompt was sent' : describeTurns(turns)));
    return told.map((turns) => `the test timed out; the conversation so far:\n\n${turns}`);
  }

  #scriptProblems(failed: boolean): string[] {
    return this.#broken(failed).map(({ what, checks }) =>
      [...(what === undefined ? [] : [`${what} did not follow the script`]), describeChecks(checks)].join('\n\n'),
    );
  }

  /** What the conversations did against their scripts. A test that failed by itself did not get to all of its rules. */
  #broken(failed: boolean): { what?: string; checks: CheckResult[] }[] {
    const { allowUnused, allowUnanswered } = this.#options;
    const scripts: [string, ScriptUsage | undefined][] = [
      ...this.#started.map((one): [string, ScriptUsage | undefined] => ['the conversation', one.scriptUsage()]),
      ...this.#placed.map((one): [string, ScriptUsage | undefined] => ['what was called', one.usage()]),
    ];
    const unreadable = checkUnreadable([
      ...this.#placed.flatMap((placed) => placed.unreadable),
      ...this.#started.flatMap(({ events }) => pick(events, 'unreadable')),
    ]);
    const refused = checkSupported(this.#placed.flatMap((placed) => placed.unsupported()));
    const found = [
      ...scripts.flatMap(([what, usage]) => {
        if (usage === undefined) return [];
        const results = checkScript(usage, { unused: failed || allowUnused, unanswered: allowUnanswered });
        return [{ what, checks: results.filter((result) => !hasPassed(result)) }];
      }),
      { checks: failed ? [] : refused },
      { checks: unreadable },
    ];
    return found.filter(({ checks }) => checks.length > 0);
  }

  /** Notes what was named by a path; copies that the test made itself do not count. */
  #note(sources: readonly unknown[]): void {
    const paths = sources.filter((source) => typeof source === 'string' && isAbsolute(source));
    this.reads.push(...(paths as string[]).filter((path) => !this.owns(path) && !this.reads.includes(path)));
  }

  /** Loaded for each, so that what is wrong with one is an error of the test that uses it. */
  #checks(): OwnCheckList {
    const { checks } = this.#options;
    const modules = Object.values(checks).filter((one) => typeof one === 'string');
    this.#note(modules.flatMap((module) => filesOfPart(resolve(this.#from, module))));
    return loadChecks(checks, this.#from);
  }

  #newFolder(purpose: string): string {
    return join(this.#scratch.path, `${purpose}-${++this.#folders}`);
  }

  #scenario({ scenario }: ConversationOptions): ConversationOptions['scenario'] {
    return typeof scenario === 'string' ? resolve(this.#from, scenario) : scenario;
  }

  #workflow(workflow: NonNullable<ConversationOptions['workflow']>): NonNullable<ConversationOptions['workflow']> {
    if (typeof workflow !== 'string' || Object.hasOwn(builtInWorkflows, workflow)) return workflow;
    // A word without a dot or slash is a name, and its error knows the names.
    return /[./\\]/.test(workflow) ? resolve(this.#from, workflow) : workflow;
  }
}
