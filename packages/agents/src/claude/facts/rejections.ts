/** What the model receives about tools that were not used, or not to their end. */

export const REJECTED_TOOL_USE =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the " +
  'new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.';

export const STOPPED_TOOL_USE =
  `${REJECTED_TOOL_USE} Correction to the text above: this call was stopped while running, not refused before it ran. It may have ` +
  'run in part or in full, and its changes may have been written. No permission prompt was involved. Work it started elsewhere ' +
  '(a remote command, a background process) may still be running, so check before starting the same work again. The instruction ' +
  'to stop and wait still stands.';

/** The advice that follows the sentence about a tool that the mode denies. */
export const DENIAL_ADVICE =
  'IMPORTANT: You *may* attempt to accomplish this action using other tools that might naturally be used to accomplish this goal, ' +
  'e.g. using head instead of cat. But you *should not* attempt to work around this denial in malicious ways, e.g. do not use your ' +
  'ability to run tests to execute non-test actions. You should only try to work around this restriction in reasonable ways that do ' +
  "not attempt to bypass the intent behind this denial. If you believe this capability is essential to complete the user's request, " +
  'STOP and explain to the user what you were trying to do and why you need this permission. Let the user decide how to proceed.';

/** What the CLI says where `--permission-prompts none` leaves nobody to ask. */
export function nobodyToAsk(question: string, why = ''): { reasonType: string; reason: string; message: string } {
  return {
    reasonType: 'asyncAgent',
    reason: 'no approval surface in this session; permission request denied automatically',
    message:
      'Permission for this tool use was denied. It requires approval, and this session has no approval surface — nobody can answer a ' +
      'permission prompt here — so it was denied automatically. The action was NOT performed; do not claim it succeeded, and do not ' +
      'retry it: this action, and anything else that requires approval, will be denied the same way for the rest of this session. ' +
      'Tell the user what was blocked and why you needed it, then continue with the parts of the task that do not require approval. ' +
      `What required approval: ${question}${why === '' || question.includes(why) ? '' : ` ${why}`}`,
  };
}

/** What the CLI says to a subagent that works in the background. */
export function deniedInBackground(tool: string): { reasonType: string; reason: string; message: string } {
  return {
    reasonType: 'asyncAgent',
    reason: 'Permission prompts are not available in this context',
    message: `Permission to use ${tool} has been denied. ${DENIAL_ADVICE}`,
  };
}
