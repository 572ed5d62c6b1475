import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Environment } from './environment.js';

/** Children carry this variable, so that those who left their process group are still found. */
export const OWNER_VARIABLE = 'UNDERSTUDY_OWNER';

/**
 * A new mark for a child, and the environment that carries it. The marks that we carry ourselves stay before it:
 * whoever started us finds our children, too.
 */
export function markChild<Env extends NodeJS.ProcessEnv = Environment>(
  env: Env,
): { owner: string; env: Env & Environment } {
  const owner = randomBytes(8).toString('hex');
  const marks = [process.env[OWNER_VARIABLE] ?? '', owner].join(' ').trim();
  return { owner, env: { ...env, [OWNER_VARIABLE]: marks } as Env & Environment };
}

/** Whether somebody will find and end all that we start. Linux only. */
export function isOwned(): boolean {
  return process.platform === 'linux' && process.env[OWNER_VARIABLE] !== undefined;
}

/** Whether a process carries this mark. Linux only. */
export function carriesMark(pid: number, owner: string): boolean {
  return (variableOf(pid, OWNER_VARIABLE) ?? '').split(' ').includes(owner);
}

/** A variable of the environment that a process was started with. Linux only. */
export function variableOf(pid: number, name: string): string | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return variables.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1);
  } catch {
    return undefined;
  }
}
