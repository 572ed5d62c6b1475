import { delimiter, join } from 'node:path';
import { programOf, writeProgram } from '../calls/programs.js';
import { type Environment, scrubbedEnvironment } from '../process/environment.js';
import type { AgentState } from '../results/run-result.js';
import { readTask } from './agent-calls.js';
import { type Backend, backends, type CaseSetup, type StageName } from './case.js';

/** What a case needs around it while it runs. */
export interface Prepared {
  /** The environment of the orchestrator and of its agents. */
  env: Environment;
  /** Ports of this machine that it needs. */
  ports?: readonly number[];
  close(): Promise<void>;
}

/** Where a case's agents run, and on what. */
export interface Stage {
  name: StageName;
  /** Whether a backend is installed and signed in here. */
  state(backend: Backend): Promise<AgentState>;
  prepare(workspace: string, setup: CaseSetup): Promise<Prepared>;
}

/** The backends that a case needs: its own, and those that its hats name. */
export function backendsOf(backend: Backend, { config }: CaseSetup): Backend[] {
  const named = Object.values(config.hats ?? {}).map(({ backend: own }) =>
    typeof own === 'object' && 'type' in own ? own.type : own,
  );
  return [...new Set([backend, ...backends.filter((name) => named.includes(name))])];
}

/** Keys that no service accepts. The CLIs only look whether there is one. */
export const fakeKeys = { KIRO_API_KEY: 'ksk_fake', ANTHROPIC_API_KEY: 'sk-ant-fake' };

/** PATH with the case's own programs first; for a case without its backend, only the system's folders follow. */
export function searchPath(home: string, setup: CaseSetup): string {
  const usual = scrubbedEnvironment()['PATH'] ?? '/usr/bin:/bin';
  return [join(home, 'bin'), setup.withoutBackend === true ? '/usr/bin:/bin' : usual].join(delimiter);
}

/** Puts a backend's program on the PATH of a case. */
export function putOnPath(home: string, backend: Backend, command: readonly string[]): void {
  writeProgram(join(home, 'bin', programOf(backend)), command, readTask);
}
