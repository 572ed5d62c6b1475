export {
  type CommandSuggestedOptions,
  type CommandSuggestedResult,
  checkCommandSuggested,
} from './command-suggested.js';
export {
  type ConventionalCommitOptions,
  type ConventionalCommitResult,
  checkConventionalCommit,
} from './conventional-commit.js';
export { checkErrorHandled, type ErrorHandledOptions, type ErrorHandledResult } from './error-handled.js';
export { checkKeywords, type KeywordsOptions, type KeywordsResult } from './keywords.js';
export type { CheckResult } from './result.js';
export {
  checkSpecificFeedback,
  type SpecificFeedbackOptions,
  type SpecificFeedbackResult,
} from './specific-feedback.js';
