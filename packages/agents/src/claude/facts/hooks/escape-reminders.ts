/** A tag with this name, open or closed, however it is written. */
const REMINDER = /<(?=\s*\/?\s*system-reminder\b)/gi;

/** What a hook says is put into a reminder of the CLI: it cannot end that one, nor begin another. */
export function escapeReminders(text: string): string {
  return text.replace(REMINDER, '&lt;');
}
