import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type Environment, scrubbedEnvironment } from '../process/environment.js';
import type { Backend, CaseSetup, StageName } from './case.js';

/** A case's surroundings, for as long as it runs. */
export interface Prepared {
  /** The environment in which the orchestrator, and so its agents, are started. */
  env: Environment;
  close(): Promise<void>;
}

/** Where a case's agents run, and on what. */
export interface Stage {
  name: StageName;
  /** Why a backend cannot be used here; undefined when it can. */
  unavailable(backend: Backend): Promise<string | undefined>;
  prepare(workspace: string, setup: CaseSetup): Promise<Prepared>;
}

/** What each backend's program is called. */
export const programs: Readonly<Record<Backend, string>> = { claude: 'claude', kiro: 'kiro-cli', opencode: 'opencode' };

/** Keys that no service takes; the CLIs only want to see one. */
export const fakeKeys = { KIRO_API_KEY: 'ksk_fake', ANTHROPIC_API_KEY: 'sk-ant-fake' };

/** PATH with the case's own programs first; without its backend, with the system's alone. */
export function searchPath(home: string, setup: CaseSetup): string {
  const usual = scrubbedEnvironment()['PATH'] ?? '/usr/bin:/bin';
  return [join(home, 'bin'), setup.withoutBackend === true ? '/usr/bin:/bin' : usual].join(delimiter);
}

/** A small script that starts a command with whatever arguments it gets. */
export function writeProgram(file: string, command: readonly string[]): void {
  mkdirSync(dirname(file), { recursive: true });
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  writeFileSync(file, `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`);
  chmodSync(file, 0o755);
}
