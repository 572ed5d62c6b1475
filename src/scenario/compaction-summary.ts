/** The summary of a conversation that is compacted, on every stage. */
export const COMPACTION_SUMMARY = 'The conversation so far, summarized by the scripted model.';
