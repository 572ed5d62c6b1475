import type { Stage } from '@understudy/agents';
import type { ProjectDescription } from '@understudy/runner';
import type { ConversationOptions } from '@understudy/stage';
import type { GivenChecks } from './own-checks.js';

/**
 * What a test can say of its rehearsal, with `test.override` or `test.extend`. Paths are relative to
 * the test file.
 */
export interface RehearsalOptions {
  /** `claude`, or with a version `claude@2.1.325`. */
  agent: string;
  /** Where it is played. */
  stage: Stage;
  /** What the model says: a file, or the document itself. */
  scenario: ConversationOptions['scenario'];
  /** Plugin folders. */
  plugins: readonly string[];
  /** Checks of your own, each by its prefix: `{ house: './house.mjs' }`, or what the module exports. */
  checks: GivenChecks;
  /** The project in which the agent works; by default an empty folder. */
  project: ProjectDescription;
  /** The workflow to follow: its name, a file, or the document. */
  workflow: ConversationOptions['workflow'];
  /** Everything else of a conversation: permissions, deadlines, arguments … */
  options: Omit<ConversationOptions, 'agent' | 'stage' | 'scenario' | 'plugins' | 'workflow' | 'cwd'>;
  /** Rules that no prompt reached do not fail the test. */
  allowUnused: boolean;
  /** Requests that no rule answered do not fail the test. */
  allowUnanswered: boolean;
}

/** What a test gets when it says nothing. */
export const defaultOptions: RehearsalOptions = {
  agent: 'claude',
  stage: 'scripted',
  scenario: undefined,
  plugins: [],
  checks: {},
  project: {},
  workflow: undefined,
  options: {},
  allowUnused: false,
  allowUnanswered: false,
};
