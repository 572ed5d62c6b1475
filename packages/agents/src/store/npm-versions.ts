import { tmpdir } from 'node:os';
import { inWords, runToEnd } from '@understudy/kit';
import * as z from 'zod/mini';
import { npmEnvironment, npmError } from './npm-install.js';

const DEADLINE_MS = 60_000;
/** A package with one version has a text instead of a list. */
const versionsSchema = z.union([
  z.array(z.string()),
  z.pipe(
    z.string(),
    z.transform((version) => [version]),
  ),
]);

/** Every version of a package that npm has. */
export async function npmVersions(name: string, interrupted?: AbortSignal): Promise<string[]> {
  const outcome = await runToEnd({
    command: ['npm', 'view', name, 'versions', '--json', '--no-update-notifier', '--loglevel=http'],
    cwd: tmpdir(),
    env: npmEnvironment(),
    deadlineMs: DEADLINE_MS,
    interrupted,
  });
  interrupted?.throwIfAborted();
  if (outcome.code !== 0) throw npmError(`the versions of ${name}`, outcome, DEADLINE_MS);
  return versionsSchema.parse(JSON.parse(outcome.stdout), inWords);
}
