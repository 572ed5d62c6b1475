/**
 * Most tests are about something else than isolation, and a sandbox around each of their agents would cost CI more than
 * it shows. `UNDERSTUDY_ISOLATION=sandbox npm test` runs them all in sandboxes.
 */
export const isolation = process.env['UNDERSTUDY_ISOLATION'] ?? 'none';
