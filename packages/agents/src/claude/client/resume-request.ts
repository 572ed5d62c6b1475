/** What the CLI writes to the model after an answer that was cut off. */
export const RESUME_REQUEST =
  'Your response above was cut off mid-stream. Resume directly from where it stops — no apology, no recap. If none of it survived, answer the request from the start.';
/** The same to a subagent, of which only the last message counts. */
export const REPEAT_REQUEST =
  'Your response above was cut off mid-stream and only your next message is delivered. Write the complete response again from the start — no apology, no mention of the cut-off.';

/** Whether a text was written by the CLI after an answer that was cut off. */
export function isResumeRequest(text: string): boolean {
  return text === RESUME_REQUEST || text === REPEAT_REQUEST;
}
