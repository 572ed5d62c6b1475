import { dirname } from 'node:path';
import type { Conversation } from '@understudy/stage';
import { test as base } from 'vitest';
import { defaultOptions, type RehearsalOptions } from '../testing/options.js';
import { withReadableErrors } from '../testing/readable-error.js';
import { TestHarness } from '../testing/test-harness.js';
import type { TestPlugin } from '../testing/test-plugin.js';
import { type TestProject, testProject } from '../testing/test-project.js';

/** What a test can ask for. Only what it asks for is made, and all of it goes when the test ends. */
export interface RehearsalFixtures {
  /** Starts more conversations, makes more projects. */
  harness: TestHarness;
  /** The files of the project in which the agent works. */
  files: TestProject;
  /** A copy of the first of `plugins`, to be changed before `harness.start({ plugins: [plugin.folder] })`. */
  plugin: TestPlugin;
  /** A conversation with the agent, started as the options say. */
  conversation: Conversation;
}

/** Vitest's `test` with an agent to rehearse. */
export const test = base.extend<RehearsalOptions & RehearsalFixtures>({
  ...defaultOptions,
  // A project of the Vitest configuration can choose these two for all of its files, with `provide`.
  agent: [defaultOptions.agent, { injected: true }],
  stage: [defaultOptions.stage, { injected: true }],
  harness: async (
    {
      agent,
      stage,
      scenario,
      plugins,
      checks,
      project,
      workflow,
      options: more,
      allowUnused,
      allowUnanswered,
      task,
      onTestFinished,
    },
    use,
  ) => {
    const options = {
      ...{ agent, stage, scenario, plugins, checks, project, workflow, options: more },
      ...{ allowUnused, allowUnanswered },
    };
    const harness = new TestHarness(options, dirname(task.file.filepath));
    // Vitest sends it to the process that watches the files; see rerun-on-change.ts.
    task.meta.rehearsalReads = harness.reads;
    let problem: unknown;
    // Vitest would report an error of the teardown itself twice.
    onTestFinished(() => {
      if (problem !== undefined) throw problem;
    });
    await use(harness);
    const { state, errors = [] } = task.result ?? {};
    const timedOut = errors.some(({ message }) => /^Test timed out in \d+ms/.test(message));
    await harness.end({ failed: state === 'fail', timedOut }).catch((error: unknown) => {
      problem = error;
    });
  },
  files: async ({ harness }, use) => {
    await use(withReadableErrors(testProject(await harness.project()), ['has', 'read', 'write', 'commits']));
  },
  plugin: async ({ harness }, use) => {
    await use(harness.plugin());
  },
  conversation: async ({ harness, files }, use) => {
    await use(await harness.start({ cwd: files.folder }));
  },
});
