export interface CompactedContext {
  transcriptPath: string;
  /** The tools that the conversation has used. */
  tools: readonly string[];
  /** The last messages follow the summary as they are. */
  keepsMessages: boolean;
}

/** What the model of the pinned Claude Code reads in place of a conversation that was compacted. */
export function compactedConversation(
  summary: string,
  { transcriptPath, tools, keepsMessages }: CompactedContext,
): string {
  return [
    'This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.',
    `<system-reminder>\n<tools-used-before-summary>${tools.join(', ')}</tools-used-before-summary>\n</system-reminder>\nSummary:\n${summary}`,
    `If you need specific details from before compaction (like exact code snippets, error messages, or content you generated), read the full transcript at: ${transcriptPath}\nContinue the conversation from where it left off without asking the user any further questions. Resume directly — do not acknowledge the summary, do not recap what was happening, do not preface with "I'll continue" or similar. Pick up the last task as if the break never happened.`,
    ...(keepsMessages
      ? [
          'The messages after this summary are the most recent messages from before compaction, kept verbatim. The summary was written without seeing them, so something it says has not happened yet may already have happened in them.',
        ]
      : []),
  ].join('\n\n');
}
