/** How Claude Code passes on to the model what the user, or the host, sends while it works. Several such notes can stand in one text. */
const OF_USER =
  /^The user sent a new message while you were working:\n([\s\S]*?)\n\nThis is how Claude Code surfaces /gm;
const OF_HOST = /^\[MESSAGE FROM NON-USER SOURCE - NOT USER INPUT\]\n([\s\S]*)/gm;

/** What was said, oldest first. */
export function readMidTurn(note: string): string[] {
  return [...note.matchAll(OF_USER), ...note.matchAll(OF_HOST)].map(([, words = '']) => words.trim());
}
