import { join, resolve } from 'node:path';
import { hasPassed } from '../checks/result.js';
import { Conversation } from '../conversation/conversation.js';
import type { ConversationOptions } from '../conversation/options.js';
import { builtInWorkflows } from '../conversation/workflow/workflow.js';
import { UnderstudyError } from '../errors.js';
import { createScratch, type Scratch } from '../process/scratch.js';
import { prepareProject } from '../rehearsal/prepare-project.js';
import type { ProjectDescription } from '../rehearsal/schema.js';
import { checkScript } from '../rehearsal/script-checks.js';
import { describeResults, describeTurns } from './message.js';
import type { RehearsalOptions } from './options.js';
import { readably, toHarnessError, withoutStack, withReadableErrors } from './readable-error.js';
import { copyPlugin, type TestPlugin } from './test-plugin.js';

/** All that one test starts and makes. When the test ends, however it does, all of it goes. */
export class TestHarness {
  readonly #options: RehearsalOptions;
  /** The folder of the test file: what paths are relative to. */
  readonly #from: string;
  readonly #scratch: Scratch;
  readonly #started: Conversation[] = [];
  #ended = false;
  #folders = 0;

  constructor(options: RehearsalOptions, from: string) {
    this.#options = options;
    this.#from = from;
    this.#scratch = createScratch('vitest');
  }

  /** Makes a project in a folder of its own, as the option `projectSpec` says, and gives the folder. */
  project(description: ProjectDescription = this.#options.projectSpec): Promise<string> {
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
        throw new UnderstudyError('VITEST_NO_PLUGIN', 'the test names no plugin', {
          fix: "Say which: test.override({ plugins: ['./my-plugin'] }).",
        });
      }
      const plugin = copyPlugin(resolve(this.#from, path), this.#newFolder('plugin'));
      return withReadableErrors(plugin, ['write', 'rename', 'remove']);
    });
  }

  /** Starts a conversation as the options say; what is given here overrides them. */
  start(more: ConversationOptions = {}): Promise<Conversation> {
    return readably(() => this.#start(more));
  }

  async #start(more: ConversationOptions): Promise<Conversation> {
    const { agentSpec, stage, plugins, workflow, conversation } = this.#options;
    const options: ConversationOptions = {
      agent: agentSpec,
      stage,
      ...(this.#options.scenario === undefined ? {} : { scenario: this.#options.scenario }),
      plugins,
      ...(workflow === undefined ? {} : { workflow }),
      ...conversation,
      ...more,
    };
    const scenario = this.#scenario(options);
    const started = await Conversation.start({
      ...options,
      ...(scenario === undefined ? {} : { scenario }),
      cwd: options.cwd ?? (await this.project()),
      plugins: (options.plugins ?? []).map((plugin) => resolve(this.#from, plugin)),
      ...(options.workflow === undefined ? {} : { workflow: this.#workflow(options.workflow) }),
    });
    // The test may have timed out while the agent started.
    if (this.#ended) await started.abort('the test has ended');
    this.#started.push(started);
    return started;
  }

  /**
   * Ends the conversations and removes the folders. A conversation that did not follow its script is an error; of a test
   * that failed by itself, only what nothing answered is told, and of one that timed out the conversation so far.
   */
  async end({ failed = false, timedOut = false } = {}): Promise<void> {
    this.#ended = true;
    const ends = await Promise.allSettled(
      this.#started.map((conversation) => (failed ? conversation.abort('the test failed') : conversation.end())),
    );
    try {
      for (const end of ends) if (end.status === 'rejected') throw toHarnessError(end.reason);
      const told = [...this.#scriptProblems(failed), ...(timedOut ? this.#soFar() : [])];
      if (told.length > 0) throw withoutStack(told.join('\n\n'));
    } finally {
      await this.#scratch.remove();
    }
  }

  #soFar(): string[] {
    const told = this.#started.map(({ turns }) => (turns.length === 0 ? 'nothing was said' : describeTurns(turns)));
    return told.map((turns) => `the test timed out; the conversation so far:\n\n${turns}`);
  }

  /** What the conversations did against their scripts. A test that failed by itself did not get to all of its rules. */
  #scriptProblems(failed: boolean): string[] {
    const { allowUnused, allowUnanswered } = this.#options;
    return this.#started.flatMap((conversation) => {
      const usage = conversation.scriptUsage();
      if (usage === undefined) return [];
      const results = checkScript(usage, { unused: failed || allowUnused, unanswered: allowUnanswered });
      const wrong = results.filter((result) => !hasPassed(result));
      return wrong.length === 0 ? [] : [`the conversation did not follow the script\n\n${describeResults(wrong)}`];
    });
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
