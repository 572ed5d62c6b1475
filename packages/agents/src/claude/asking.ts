/** The words with which Claude Code asks its model. The Agent SDKs start it without -p. */
export const asking = ['-p', '--print', '--input-format', '--output-format'];
