export interface CompactedContext {
  transcriptPath: string;
  /** The tools that the conversation has used. */
  tools: readonly string[];
  /** The last messages follow the summary as they are. */
  keepsMessages: boolean;
  /** The summary does not cover all messages before them. */
  leavesOut?: boolean;
}

const LEFT_OUT =
  '\n\nNote: part of the earlier conversation was too large to include and is NOT covered by this summary (the full transcript mentioned above still has it). If the task turns out to depend on something from that part, say so plainly rather than guessing at it.';

/** What the model of Claude Code 2.1.325 reads in place of a conversation that was compacted. */
export function compactedConversation(
  summary: string,
  { transcriptPath, tools, keepsMessages, leavesOut = false }: CompactedContext,
): string {
  return [
    'This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.',
    `<system-reminder>\n<tools-used-before-summary>${tools.join(', ')}</tools-used-before-summary>\n</system-reminder>\nSummary:\n${summary}`,
    `If you need specific details from before compaction (like exact code snippets, error messages, or content you generated), read the full transcript at: ${transcriptPath}${leavesOut ? LEFT_OUT : ''}\nContinue the conversation from where it left off without asking the user any further questions. Resume directly — do not acknowledge the summary, do not recap what was happening, do not preface with "I'll continue" or similar. Pick up the last task as if the break never happened.`,
    ...(keepsMessages
      ? [
          'The messages after this summary are the most recent messages from before compaction, kept verbatim. The summary was written without seeing them, so something it says has not happened yet may already have happened in them.',
        ]
      : []),
  ].join('\n\n');
}
