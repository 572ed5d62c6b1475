import type { Stage } from '@understudy/agents';
import type {
  Budget,
  CommandSuggestedOptions,
  ErrorHandledOptions,
  ExpectedCommits,
  ExpectedFile,
  ExpectedHook,
  ExpectedNames,
  ExpectedOutcome,
  ExpectedTold,
  ExpectedTools,
  ExpectedWorkflowStage,
  KeywordsOptions,
  Saying,
} from '@understudy/verdict';

export type MentionOptions = Omit<KeywordsOptions, 'require'>;
export type ExpectedMove = ExpectedWorkflowStage;
export type ExpectedUse = ExpectedTools;
/** That it must not fire is said with `not`. */
export type ExpectedHookRun = Omit<ExpectedHook, 'fired'>;
/** Skills or subagents; as a list, all of them. */
export type ExpectedUsed = readonly string[] | ExpectedNames;
export type ExpectedWords = ExpectedTold;
export type ExpectedCommit = ExpectedCommits;
export type ExpectedChange = { change?: Exclude<ExpectedFile['change'], 'unchanged'>; contains?: Saying };
export type ExpectedEnd = ExpectedOutcome;

/** What can be expected of a turn, or of a whole conversation. */
export interface UnderstudyMatchers<R = unknown> {
  /** It speaks of at least one of these: as words, in all their forms, and not to deny them. */
  toMentionAny(words: readonly string[], options?: MentionOptions): R;
  /** It speaks of all of these. */
  toMentionAll(words: readonly string[], options?: MentionOptions): R;
  /** The workflow is in this stage when the turn is over, or made this move in the turn. */
  toHaveWorkflowStage(stage: string | ExpectedMove): R;
  /** It suggests a slash command. */
  toSuggestCommand(command: string, options?: CommandSuggestedOptions): R;
  /** It used all of these tools; as an object: any, none, in this order, with these inputs. */
  toHaveUsedTools(tools: readonly string[] | ExpectedUse): R;
  /** It used all of these skills; as an object: any, all, none. */
  toHaveUsedSkills(skills: ExpectedUsed): R;
  /** All of these subagents worked; as an object: any, all, none. */
  toHaveUsedSubagents(subagents: ExpectedUsed): R;
  /** The model, or a subagent, was told this: in its system prompt, in a message, or by the tools that it was offered. */
  toHaveToldModel(words: ExpectedWords): R;
  /** A hook fired; as an object: on which tool, whether it blocked, its exit code, what it said, how often. */
  toHaveFiredHook(hook: string | ExpectedHookRun): R;
  /** A hook kept something from happening. */
  toHaveBeenBlockedBy(event: string, on?: string): R;
  /** A commit appeared, with this text in its message, or as the object says. */
  toHaveCommitted(commit?: Saying | ExpectedCommit): R;
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
  toHaveCompleted(end?: ExpectedEnd): R;
  /** It is the same as when the snapshot was taken, but for folders, ids and times. */
  toMatchConversationSnapshot(hint?: string): R;
}

declare module 'vitest' {
  interface Matchers<T> extends UnderstudyMatchers<T> {}
  interface ProvidedContext {
    /** For all tests of a project: `provide: { stage: 'sim' }`. */
    stage?: Stage;
    agentSpec?: string;
  }
}
