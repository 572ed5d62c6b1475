/** Words of a line that says what went wrong. */
const ERROR = /error|exception|panic|fatal|cannot|can't|could not|not found|no such|denied|failed|missing/i;

/**
 * The line of a program's stderr that says most: the first that names an error. Code and frames of a stack are indented.
 * Nothing where it wrote nothing.
 */
export function tellingLine(stderr: string): string | undefined {
  const lines = stderr
    .slice(-MOST)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const flush = lines.filter((line) => !/^\s/.test(line));
  const line = flush.find((line) => ERROR.test(line)) ?? lines.find((line) => ERROR.test(line)) ?? lines[0];
  return line?.trim().slice(0, LONGEST);
}

const LONGEST = 500;
/** Only the end of a flood is looked at. */
const MOST = 100_000;
