export type { CheckResult } from '@understudy/verdict';
export {
  type CommandSuggestedOptions,
  type CommandSuggestedResult,
  type ConventionalCommitOptions,
  type ConventionalCommitResult,
  checkCommandSuggested,
  checkConventionalCommit,
  checkErrorHandled,
  checkKeywords,
  checkSpecificFeedback,
  type ErrorHandledOptions,
  type ErrorHandledResult,
  type KeywordsOptions,
  type KeywordsResult,
  type SpecificFeedbackOptions,
  type SpecificFeedbackResult,
} from '@understudy/verdict';
