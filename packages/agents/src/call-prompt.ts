import { type AgentName, agents } from './agents.js';

/** The prompt of a call: what the CLI takes for it, from the words after the program's name and from stdin. */
export function promptOfCall(agent: AgentName, words: readonly string[], stdin: string): string {
  try {
    return agents[agent].promptOf(words, stdin);
  } catch {
    // We do not know all flags of each version.
    return stdin || (words.findLast((word) => !word.startsWith('-')) ?? '');
  }
}
