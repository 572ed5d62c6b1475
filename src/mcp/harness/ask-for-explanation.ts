import type { HeldConversation } from './held-conversation.js';
import { readConversation } from './read-conversation.js';
import { transcriptOf } from './transcript.js';

/** A transcript is long; its end says most about a failure. */
const SHOWN = 20_000;

/** Asks why a conversation went wrong, with all that is known of it. */
export function askForExplanation(held: HeldConversation, question: string | undefined): string {
  const transcript = transcriptOf(held);
  const cut = transcript.length > SHOWN ? `(the first ${transcript.length - SHOWN} characters are left out)\n` : '';
  return [
    question ?? 'Explain why this rehearsal of a coding agent did not go as it should, and what to change.',
    '',
    'Say first what was expected and what happened instead, then the earliest event that explains it, then the fix. The cause is in one of four places: the plugin, the scenario, the project, or the CLI. A rule that was never used and a prompt that nothing answered usually point at the scenario; a command that did not expand, a hook that did not fire or a server that is missing point at the plugin.',
    '',
    '# Report',
    '',
    '```json',
    readConversation(held, 'report'),
    '```',
    '',
    cut + transcript.slice(-SHOWN),
  ].join('\n');
}
