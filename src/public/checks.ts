export {
  type CommandSuggestedOptions,
  type CommandSuggestedResult,
  checkCommandSuggested,
} from '../checks/command-suggested.js';
export {
  type ConventionalCommitOptions,
  type ConventionalCommitResult,
  checkConventionalCommit,
} from '../checks/conventional-commit.js';
export { checkErrorHandled, type ErrorHandledOptions, type ErrorHandledResult } from '../checks/error-handled.js';
export { checkKeywords, type KeywordsOptions, type KeywordsResult } from '../checks/keywords.js';
export type { CheckResult } from '../checks/result.js';
export {
  checkSpecificFeedback,
  type SpecificFeedbackOptions,
  type SpecificFeedbackResult,
} from '../checks/specific-feedback.js';
