import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, inWords, type Outcome, runToEnd, UnderstudyError } from '@understudy/kit';
import * as z from 'zod/mini';

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ version: z.optional(z.string()), integrity: z.optional(z.string()) })),
});

export interface Installed {
  version: string;
  /** What npm checked each package against, by its path. */
  integrity: Record<string, string>;
}

export interface InstallOptions {
  interrupted?: AbortSignal | undefined;
  /** npm is ended after this time. */
  limitMs?: number | undefined;
}

/** A registry that is slower than this will hardly become faster. */
export const INSTALL_LIMIT_MS = 10 * 60_000;

/**
 * Lets npm fetch one package into a folder. Install scripts do not run: what they would do, we do not need.
 * npm is the user's own, so it sees the user's environment and configuration (registry, proxy, certificates).
 */
export async function npmInstall(
  folder: string,
  name: string,
  version: string,
  { interrupted, limitMs = INSTALL_LIMIT_MS }: InstallOptions = {},
): Promise<Installed> {
  // It makes the folder a project of its own, into which npm installs. With `--prefix`, npm would look for the
  // machine's configuration in the folder, too.
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const flags = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--save-exact',
    '--package-lock',
  ];
  const outcome = await runToEnd({
    // At this level npm reports each attempt that failed; it may try for many minutes.
    command: ['npm', 'install', ...flags, '--location=project', '--loglevel=http', `${name}@${version}`],
    cwd: folder,
    env: npmEnvironment(),
    deadlineMs: limitMs,
    interrupted,
  });
  interrupted?.throwIfAborted();
  if (outcome.code !== 0) {
    const hint = ' A slow network needs `understudy agents add --timeout MINUTES`.';
    throw npmError(`${name}@${version}`, outcome, limitMs, hint);
  }

  const lock = lockSchema.parse(JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')), inWords);
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

/** Settings of an npm that runs us (npx, npm test) which belong to its project, not to the store. */
const OF_ANOTHER_PROJECT =
  /^npm_(?:config_(?:global_prefix|local_prefix|global|location|workspaces?)$|package_|lifecycle_)/i;

/** With `npm --prefix FOLDER run …`, these two point into that folder; else they are the machine's own. */
const OF_PREFIX = /^npm_config_(?:prefix|globalconfig)$/i;

/** The user's environment, for an npm that works for the store. */
export function npmEnvironment(own: NodeJS.ProcessEnv = process.env): Environment {
  const local = own['npm_config_local_prefix'];
  const isPrefixed = local !== undefined && local === own['npm_config_prefix'];
  const environment: Environment = {};
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined || OF_ANOTHER_PROJECT.test(name) || (isPrefixed && OF_PREFIX.test(name))) continue;
    environment[name] = value;
  }
  return environment;
}

const UNREACHABLE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network)\b/;

/** Why npm failed, or was ended after `limitMs`. */
export function npmError(what: string, outcome: Outcome, limitMs: number, hint = ''): UnderstudyError {
  const lines = outcome.stderr.split('\n').filter((line) => line.trim() !== '');
  const stderr = lines.filter((line) => !/^npm (?:http|notice|warn)\b/i.test(line)).join('\n');
  const said = reasonOf(outcome, lines, stderr);
  const elsewhere =
    'Check the network and `npm config get registry`, or point to a program that you have: UNDERSTUDY_CLAUDE=/path/to/claude.';
  if (outcome.timedOut) {
    const limit = `Understudy's limit of ${formatDuration(limitMs)}`;
    return new UnderstudyError('AGENT_REGISTRY_UNREACHABLE', `npm did not fetch ${what} within ${limit}: ${said}`, {
      fix: `${elsewhere}${hint}`,
    });
  }
  if (/\b(E404|ETARGET)\b/.test(stderr)) {
    return new UnderstudyError('AGENT_NO_SUCH_VERSION', `npm does not have ${what}`, {
      fix: 'Look up the versions with `npm view PACKAGE versions`, or leave the version out to get the pinned one.',
    });
  }
  if (/\b(ENOSPC|EDQUOT|EROFS)\b/.test(stderr)) {
    return new UnderstudyError('AGENT_STORE_NOT_WRITABLE', `npm could not write ${what}: ${said}`);
  }
  if (UNREACHABLE.test(stderr)) {
    return new UnderstudyError('AGENT_REGISTRY_UNREACHABLE', `npm could not reach its registry for ${what}: ${said}`, {
      fix: elsewhere,
    });
  }
  return new UnderstudyError('AGENT_NOT_INSTALLED', `npm could not install ${what}: ${said}`);
}

/** What npm gave as its error; else its last failed attempt; else how it ended. Never empty. */
function reasonOf({ code, signal, timedOut }: Outcome, lines: readonly string[], stderr: string): string {
  if (stderr !== '') return stderr.split('\n').slice(0, 4).join(' ').slice(0, 600);
  const attempt = lines.findLast((line) => /\battempt \d+ failed\b/.test(line));
  if (attempt !== undefined) return attempt.replace(/^npm http fetch /, '').slice(0, 600);
  if (timedOut) return 'npm reported no error until then';
  return `npm gave no reason; it ended with ${signal ?? `exit code ${code}`}`;
}

function formatDuration(milliseconds: number): string {
  return milliseconds < 60_000 ? `${milliseconds / 1000} s` : `${milliseconds / 60_000} min`;
}
