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
import { describeResults } from './message.js';
import type { RehearsalOptions } from './options.js';
import { copyPlugin, type TestPlugin } from './test-plugin.js';

/** All that one test starts and makes. When the test ends, however it does, all of it goes. */
export class TestHarness {
  readonly #options: RehearsalOptions;
  /** The folder of the test file: what paths are relative to. */
  readonly #from: string;
  readonly #scratch: Scratch;
  readonly #started: Conversation[] = [];
  #folders = 0;

  constructor(options: RehearsalOptions, from: string) {
    this.#options = options;
    this.#from = from;
    this.#scratch = createScratch('vitest');
  }

  /** Makes a project in a folder of its own, as the option `projectSpec` says, and gives the folder. */
  async project(description: ProjectDescription = this.#options.projectSpec): Promise<string> {
    const folder = this.#newFolder('project');
    await prepareProject(description, folder, this.#from);
    return folder;
  }

  /** Copies a plugin, by default the first of `plugins`, so that the test may change it. */
  plugin(path: string | undefined = this.#options.plugins[0]): TestPlugin {
    if (path === undefined) {
      throw new UnderstudyError('VITEST_NO_PLUGIN', 'the test names no plugin', {
        fix: "Say which: test.override({ plugins: ['./my-plugin'] }).",
      });
    }
    return copyPlugin(resolve(this.#from, path), this.#newFolder('plugin'));
  }

  /** Starts a conversation as the options say; what is given here overrides them. */
  async start(more: ConversationOptions = {}): Promise<Conversation> {
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
    this.#started.push(started);
    return started;
  }

  /** Ends the conversations and removes the folders. A conversation that did not follow its script is an error, unless the test failed. */
  async end({ failed = false } = {}): Promise<void> {
    const ends = await Promise.allSettled(this.#started.map((conversation) => conversation.end()));
    try {
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      if (!failed) this.#assertScripts();
    } finally {
      await this.#scratch.remove();
    }
  }

  #assertScripts(): void {
    const { allowUnused, allowUnanswered } = this.#options;
    for (const conversation of this.#started) {
      const usage = conversation.scriptUsage();
      if (usage === undefined) continue;
      const results = checkScript(usage, { unused: allowUnused, unanswered: allowUnanswered });
      const wrong = results.filter((result) => !hasPassed(result));
      if (wrong.length > 0) throw new Error(`the conversation did not follow the script\n\n${describeResults(wrong)}`);
    }
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
