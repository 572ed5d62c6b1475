/** The summary of a conversation that is compacted, on every stage. */
export const COMPACTION_SUMMARY = 'The conversation so far, summarized by the scripted model.';

/** The answer to a request for a summary of the conversation. */
export const COMPACTION_ANSWER = `<analysis>As scripted.</analysis>\n<summary>${COMPACTION_SUMMARY}</summary>`;

/** What that answer costs, on every stage. */
export const COMPACTION_TOKENS = { input: 1, output: Math.ceil(COMPACTION_ANSWER.length / 4) };
