import type { Stage } from '@understudy/agents';
import type { ProjectDescription } from '@understudy/runner';
import type { ConversationOptions } from '@understudy/stage';

/**
 * What a test can say of its rehearsal, with `test.override` or `test.extend`. Paths are relative to
 * the test file.
 */
export interface RehearsalOptions {
  /** `claude`, or with a version `claude@2.1.325`. */
  agentSpec: string;
  /** Where it is played. */
  stage: Stage;
  /** What the model says: a file, or the document itself. */
  scenario: ConversationOptions['scenario'];
  /** Plugin folders. */
  plugins: readonly string[];
  /** The project in which the agent works; by default an empty folder. */
  projectSpec: ProjectDescription;
  /** The workflow to follow: its name, a file, or the document. */
  workflow: ConversationOptions['workflow'];
  /** Everything else of a conversation: permissions, deadlines, arguments … */
  conversation: Omit<ConversationOptions, 'agent' | 'stage' | 'scenario' | 'plugins' | 'workflow' | 'cwd'>;
  /** Rules that no prompt reached do not fail the test. */
  allowUnused: boolean;
  /** Requests that no rule answered do not fail the test. */
  allowUnanswered: boolean;
}

/** What a test gets when it says nothing. */
export const defaultOptions: RehearsalOptions = {
  agentSpec: 'claude',
  stage: 'scripted',
  scenario: undefined,
  plugins: [],
  projectSpec: {},
  workflow: undefined,
  conversation: {},
  allowUnused: false,
  allowUnanswered: false,
};
