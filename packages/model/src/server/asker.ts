/** The process that sent a request, as the kernel knows it. */
export interface Asker {
  /** Its id where it runs; 0: it had gone when the kernel was asked. */
  pid: number;
  /** The file that it runs, and its words. */
  program: string;
  words: string;
  /** `main`: what we started there. `agent`: another process of the program that the agent is. */
  role: 'main' | 'agent' | 'other';
}

/** Whether requests are answered that the agent itself did not send. */
export type AskedBy = 'agent' | 'any';

export function describeAsker({ pid, program, words }: Pick<Asker, 'pid' | 'program' | 'words'>): string {
  return pid === 0 ? 'a process that had gone or hides itself' : `${program} (process ${pid}: ${words.slice(0, 200)})`;
}
