/** How a program ended, and what it printed. */
export interface ProgramEnd {
  command: readonly string[];
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  milliseconds: number;
  timedOut: boolean;
}
