/** What the harness writes into a workspace before each run, and the folders that it has there. */
const WRITTEN = /(?:^|\/)(?:ralph\.ya?ml|PROMPT\.md|scenario\.json)$/i;
const FOLDERS = /(?:^|\/)(?:\.e2e-tests|\.home|\.understudy)(?:\/|$)/;

/** Whether a file is the harness's own: to change it changes the test, never what is under test. */
export function isOwnFile(file: string): boolean {
  return WRITTEN.test(file.trim()) || FOLDERS.test(file);
}
