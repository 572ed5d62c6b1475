/** What the model answers when a CLI reports that a task in the background has ended, on every stage. */
export const NOTICE_ANSWER = 'Noted.';

/** What that answer costs, on every stage. */
export const NOTICE_TOKENS = { input: 1, output: Math.ceil(NOTICE_ANSWER.length / 4) };
