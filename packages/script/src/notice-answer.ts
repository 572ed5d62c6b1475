/** What the model says when a CLI tells it that a task in the background has ended, on every stage. */
export const NOTICE_ANSWER = 'Noted.';

/** What that answer costs, on every stage. */
export const NOTICE_TOKENS = { input: 1, output: Math.ceil(NOTICE_ANSWER.length / 4) };
