import { delimiter, join } from 'node:path';
import { type Environment, scrubbedEnvironment } from '@understudy/kit';
import type { ScriptUsage } from '@understudy/script';
import { programOf, writeProgram } from '@understudy/stage';
import type { AgentState } from '@understudy/verdict';
import { readTask } from './agent-calls.js';
import { type Backend, backends, type CaseSetup, type StageName } from './case.js';

/** What a case needs around it while it runs. */
export interface Prepared {
  /** The environment of the orchestrator and of its agents. */
  env: Environment;
  /** The model of ours, where there is one. */
  server?: { url: string } | undefined;
  /** What was used of a cassette, and what it had no answer for. */
  usage?(): ScriptUsage;
  /** Writes into the recording what was seen beside the wire. */
  seen?(event: { type: string }): void;
  close(): Promise<void>;
}

/** What is prepared: a case on a backend, in a workspace. */
export interface Preparation {
  workspace: string;
  setup: CaseSetup;
  backend: Backend;
  /** The recording that is played or written, on stages that have one. */
  cassette?: string | undefined;
}

/** Where a case's agents run, and on what. */
export interface CaseStage {
  name: StageName;
  /** Whether a backend is installed and signed in here. */
  state(backend: Backend): Promise<AgentState>;
  /** The CLIs run with the user's own login, which is in the user's home. */
  usesOwnLogin?: true;
  /** What is asked and answered is written to cassettes. */
  records?: true;
  prepare(preparation: Preparation): Promise<Prepared>;
}

/** Whether a script says what the model answers. Elsewhere the prompt of a case must tell the model everything. */
export function hasScript(stage: StageName): boolean {
  return stage === 'sim' || stage === 'scripted';
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
