import type { Enclosure } from '@understudy/kit';
import type { Asker } from '@understudy/model';
import type { IsolationState } from './level.js';
import type { SandboxLimits } from './limits.js';
import type { OwnRepository } from './own-repository.js';
import type { Records } from './records.js';
import type { Attempt } from './watch.js';

/** What a command needs beside the system's own folders. */
export interface IsolationNeeds {
  writable: readonly string[];
  readable: readonly string[];
  /** Repositories in what is writable that stay when the command is gone. */
  repositories?: readonly OwnRepository[];
  /** Ports of this machine that can be reached inside, under the same address. */
  ports: readonly number[];
  /** The commands that agents are, without arguments: who runs one of them is an agent. */
  agents?: readonly (readonly string[])[];
  /** What is started is an agent itself, and no program that calls agents. */
  runsAgent?: boolean;
  /** Live: the real model is outside. */
  network?: 'own' | 'host';
  limits?: Partial<SandboxLimits>;
}

/** The isolation of one conversation or program. */
export interface Isolation extends IsolationState {
  /** Where commands are started; absent, as they are. */
  enclosure?: Enclosure;
  /** Folders in whose place there are empty ones. */
  hidden: readonly string[];
  /** What was tried since the last look and not allowed. `input` is the input of a tool that ran in the meantime. */
  look(input?: string): Attempt[];
  /** Who is at the other end of a connection that comes from this port of ours; undefined where that is not known. */
  asker(port: number): Asker | undefined;
  /** What recorders told where nobody inside can change it; absent where there is no such place. */
  records?: Records;
  close(): Promise<void>;
}
