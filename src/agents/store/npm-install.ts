import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { UnderstudyError } from '../../errors.js';
import type { Environment } from '../../process/environment.js';
import { runToEnd } from '../../process/run-to-end.js';

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
});

export interface Installed {
  version: string;
  /** What npm checked each package against, by its path. */
  integrity: Record<string, string>;
}

/** A registry that is slower than this will not become faster. */
export const INSTALL_DEADLINE_MS = 10 * 60_000;

/**
 * Lets npm fetch one package into an empty folder. Install scripts do not run: what they would do, we do
 * not need. npm is the user's own, so it sees the user's environment (registry, proxy, certificates).
 */
export async function npmInstall(
  folder: string,
  name: string,
  version: string,
  interrupted?: AbortSignal,
): Promise<Installed> {
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const outcome = await runToEnd({
    command: ['npm', 'install', ...flags, '--save-exact', '--package-lock', '--prefix', folder, `${name}@${version}`],
    cwd: folder,
    env: npmEnvironment(),
    deadlineMs: INSTALL_DEADLINE_MS,
    interrupted,
  });
  interrupted?.throwIfAborted();
  if (outcome.code !== 0) throw npmError(`${name}@${version}`, outcome.stderr, outcome.timedOut);

  const lock = lockSchema.parse(JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')));
  const installed = lock.packages[`node_modules/${name}`]?.version;
  if (installed === undefined) {
    throw new UnderstudyError('AGENT_NOT_INSTALLED', `npm said that it installed ${name}, but its lock file lacks it`);
  }
  const integrity: Record<string, string> = {};
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (entry.integrity !== undefined) integrity[path] = entry.integrity;
  }
  return { version: installed, integrity };
}

export function npmEnvironment(): Environment {
  const environment: Environment = {};
  for (const [name, value] of Object.entries(process.env)) {
    // Settings of an npm that runs us (npx, npm test) belong to its project, not to the store.
    if (value !== undefined && !/^npm_(config_(global|local_)?prefix|package_|lifecycle_)/i.test(name)) {
      environment[name] = value;
    }
  }
  return environment;
}

const UNREACHABLE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network)\b/;

export function npmError(what: string, stderr: string, timedOut: boolean): UnderstudyError {
  const said = stderr.trim().split('\n').slice(0, 4).join(' ').slice(0, 600);
  if (/\b(E404|ETARGET)\b/.test(stderr)) {
    return new UnderstudyError('AGENT_NO_SUCH_VERSION', `npm does not have ${what}`, {
      fix: 'Look up the versions with `npm view PACKAGE versions`, or leave the version out to get the pinned one.',
    });
  }
  if (/\b(ENOSPC|EDQUOT|EROFS)\b/.test(stderr)) {
    return new UnderstudyError('AGENT_STORE_NOT_WRITABLE', `npm could not write ${what}: ${said}`);
  }
  if (timedOut || UNREACHABLE.test(stderr)) {
    return new UnderstudyError('AGENT_REGISTRY_UNREACHABLE', `npm could not reach its registry for ${what}: ${said}`, {
      fix: 'Check the network and `npm config get registry`, or point to a program that you have: UNDERSTUDY_CLAUDE=/path/to/claude.',
    });
  }
  return new UnderstudyError('AGENT_NOT_INSTALLED', `npm could not install ${what}: ${said}`);
}
