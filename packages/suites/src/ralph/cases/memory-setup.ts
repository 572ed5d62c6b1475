import type { CaseSetup } from '../../orchestrators/case.js';
import { script } from './script.js';

/** The memory file. */
export const MEMORIES = '.ralph/agent/memories.md';

/** The id of the n-th entry. */
export function memoryId(n: number): string {
  return `mem-1767225600-${n.toString(16).padStart(4, '0')}`;
}

/** The n-th entry of a memory file. */
export function memoryEntry(n: number, content: string): string {
  return `### ${memoryId(n)}\n> ${content}\n<!-- tags: style | created: 2026-01-01 -->\n`;
}

/** A file with one memory. */
export const REMEMBERED = `# Memories\n\n## Patterns\n\n${memoryEntry(1, 'Indent with tabs.')}`;

/** A setup in which the agent can answer only from a memory. */
export function asksHowToIndent(more: Partial<CaseSetup> = {}): CaseSetup {
  return {
    config: { event_loop: { max_iterations: 2 } },
    prompt: [
      'How do we indent?',
      'If your memories tell, answer with the sentence "With tabs, as I remember.", else with "I do not know."',
      'Then end with the line LOOP_COMPLETE.',
    ].join(' '),
    scenario: script(
      ['> Indent with tabs.', 'With tabs, as I remember.\nLOOP_COMPLETE'],
      ['How do we indent', 'I do not know.\nLOOP_COMPLETE'],
    ),
    ...more,
  };
}
