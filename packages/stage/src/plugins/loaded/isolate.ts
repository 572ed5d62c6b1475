import { storeFolder } from '@understudy/agents';
import { defined } from '@understudy/kit';
import { escapesOfProgram, openIsolation } from '../../isolation/isolation.js';
import type { IsolationState } from '../../isolation/level.js';
import type { Isolation, IsolationNeeds } from '../../isolation/provider.js';

/** How far the hooks and servers of a plugin are kept apart from this machine while somebody looks at it. */
export interface LookIsolation {
  /** As `--isolation`; absent, UNDERSTUDY_ISOLATION, else `auto`. */
  isolation?: string | undefined;
  /** They may use the network. */
  allowNetwork?: boolean | undefined;
}

/** The same around a look at a plugin as around a rehearsal of it: the plugin can be read, and there is no network. */
export function isolateLook(
  { isolation, allowNetwork }: LookIsolation,
  { readable, ...needs }: Pick<IsolationNeeds, 'writable' | 'readable' | 'ports'>,
): Promise<Isolation> {
  return openIsolation(isolation, {
    ...needs,
    readable: [storeFolder(), ...readable],
    network: allowNetwork === true ? 'host' : 'own',
  });
}

/** What reports say of it. */
export function stateOf({ level, reason }: IsolationState): IsolationState {
  return { level, ...defined({ reason }) };
}

/** A program that was started, and what it wrote. */
export interface StartedProgram {
  command?: string | undefined;
  stdout?: string | undefined;
  stderr?: string | undefined;
}

const REFUSED = /refused/i;

/** What was tried and not allowed since the last look. A port is found in a command, or in the error that names it. */
export function triedIn(isolation: Isolation, told: readonly StartedProgram[]): string[] {
  const named = told.flatMap(({ command = '', stdout = '', stderr = '' }) => [
    command,
    ...`${stdout}\n${stderr}`.split('\n').filter((line) => REFUSED.test(line)),
  ]);
  return [...new Set(escapesOfProgram(isolation.look(named.join('\n'))).map(({ text }) => text))];
}

/** What to do about it. */
export const TRIED_FIX =
  'Let it work in the project and in its own data folder. If it needs the network or more files to start, look at it with `--isolation none`.';
