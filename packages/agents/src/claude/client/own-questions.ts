import type { OwnQuestion } from '@understudy/model';

/** What Claude Code asks the model in the user's name, beside the conversation. */
const QUESTIONS: readonly [RegExp, OwnQuestion][] = [
  // What the user may say next, after each turn but the first (`promptSuggestions` of a host, and the terminal).
  [/^\[SUGGESTION MODE: /, 'suggestion'],
  // What a subagent does, about every half minute (`agentProgressSummaries` of a host).
  [/^Describe (?:your|the agent's) most recent action in 3-5 words using present tense/, 'progress'],
];

export function ownQuestion(prompt: string): OwnQuestion | undefined {
  return QUESTIONS.find(([pattern]) => pattern.test(prompt))?.[1];
}
