import { describe, expect, it } from 'vitest';
import { escapeReminders } from './escape-reminders.js';

describe('escapeReminders', () => {
  it.each([
    ['<system-reminder>', '&lt;system-reminder>'],
    ['</System-Reminder >', '&lt;/System-Reminder >'],
    ['<\n/ system-reminder x="1">', '&lt;\n/ system-reminder x="1">'],
    ['<system-reminder-x> <system-reminder', '&lt;system-reminder-x> &lt;system-reminder'],
  ])('takes the meaning from %j', (text, escaped) => {
    expect(escapeReminders(text)).toBe(escaped);
  });

  it.each([
    '<system-reminders>',
    '<system_reminder>',
    '<//system-reminder>',
    '<command-name> & <',
    '&lt;system-reminder>',
  ])('leaves %j as it is', (text) => {
    expect(escapeReminders(text)).toBe(text);
  });
});
