import type { Budget } from './budget.js';
import type { CommandSuggestedOptions } from './command-suggested.js';
import type { ExpectedCommits } from './commits.js';
import type { Saying } from './define-check.js';
import type { ErrorHandledOptions } from './error-handled.js';
import type { ExpectedFile } from './files-changed.js';
import type { ExpectedHook } from './hooks-fired.js';
import type { KeywordsOptions } from './keywords.js';
import type { ExpectedNames } from './names-used.js';
import type { ExpectedOutcome } from './outcome.js';
import type { ExpectedTold } from './told.js';
import type { ExpectedTools } from './tools-used.js';
import type { ExpectedWorkflowStage } from './workflow-stage.js';

type MentionOptions = Omit<KeywordsOptions, 'require'>;
/** That it must not fire is said with `not`. */
type ExpectedHookRun = Omit<ExpectedHook, 'fired'>;
/** Skills or subagents; as a list, all of them. */
type ExpectedUsed = readonly string[] | ExpectedNames;
type ExpectedChange = { change?: Exclude<ExpectedFile['change'], 'unchanged'>; contains?: Saying };

/** What a test in code can say of a turn, or of a whole conversation. Each is judged by the check that names it. */
export interface TurnMatchers<R = unknown> {
  /** It speaks of at least one of these: as words, in all their forms, and not to deny them. */
  toMentionAny(words: readonly string[], options?: MentionOptions): R;
  /** It speaks of all of these. */
  toMentionAll(words: readonly string[], options?: MentionOptions): R;
  /** The workflow is in this stage when the turn is over, or made this move in the turn. */
  toHaveWorkflowStage(stage: string | ExpectedWorkflowStage): R;
  /** It suggests a slash command. */
  toSuggestCommand(command: string, options?: CommandSuggestedOptions): R;
  /** It used all of these tools; as an object: any, none, in this order, with these inputs. */
  toHaveUsedTools(tools: readonly string[] | ExpectedTools): R;
  /** It used all of these skills; as an object: any, all, none. */
  toHaveUsedSkills(skills: ExpectedUsed): R;
  /** All of these subagents worked; as an object: any, all, none. */
  toHaveUsedSubagents(subagents: ExpectedUsed): R;
  /** The model, or a subagent, was told this: in its system prompt, in a message, or by the tools that it was offered. */
  toHaveToldModel(words: ExpectedTold): R;
  /** A hook fired; as an object: on which tool, whether it blocked, its exit code, what it said, how often. */
  toHaveFiredHook(hook: string | ExpectedHookRun): R;
  /** A hook kept something from happening. */
  toHaveBeenBlockedBy(event: string, on?: string): R;
  /** A commit appeared, with this text in its message, or as the object says. */
  toHaveCommitted(commit?: Saying | ExpectedCommits): R;
  /** A file of the project changed. */
  toHaveChangedFile(path: string, change?: ExpectedChange): R;
  /** The CLI recognized the prompt as a command and expanded it. */
  toHaveExpandedCommand(name?: string, to?: Saying): R;
  /** The CLI asked whether a tool may run, and got this answer. */
  toHaveAskedPermission(tool: string, decision?: 'allow' | 'deny'): R;
  /** An error is acknowledged, without a crash, and with a way on. */
  toHaveHandledError(options?: ErrorHandledOptions): R;
  /** At least this many points could be applied as they stand. */
  toHaveSpecificFeedback(minimum?: number): R;
  /** The turn, or each turn of the conversation, stayed within these limits. */
  toStayWithinBudget(budget: Budget): R;
  /** No plugin has load errors, and these are there. */
  toHaveLoadedPlugins(...names: string[]): R;
  /** The turn, or each turn of the conversation, completed; or ended as the object says. */
  toHaveCompleted(end?: ExpectedOutcome): R;
}
