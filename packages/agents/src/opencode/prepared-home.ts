import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  createScratch,
  type Environment,
  makeFolder,
  runToEnd,
  type Scratch,
  scrubbedEnvironment,
  UntrustedFolder,
} from '@understudy/kit';
import { storeFolder } from '../store-folder.js';
import { catalogOf } from './catalog.js';
import { OPENCODE_CATALOG, OPENCODE_PROVIDERS } from './environment.js';

const DATA = '.local/share/opencode';
const DEADLINE_MS = 60_000;
/** Another one where a catalog has other providers or says other things of them. */
const CATALOG_FORM = 2;
/** A list without them is not whole. */
const CERTAIN = ['anthropic', 'google', 'openai'];

/**
 * Gives a new home the empty database of OpenCode. It makes one at its first start, and two first starts side by side
 * disturb each other: a home that has never been used is ours, and no fault of a program. The database of each version
 * is made once and kept beside the store.
 */
export async function prepareOpenCodeHome(home: string, command: readonly string[], version: string): Promise<void> {
  const kept = join(keptHomes(), `opencode-${version}`);
  if (!existsSync(kept)) await makeDatabase(kept, command);
  if (!existsSync(kept)) return;
  const written = new UntrustedFolder(home);
  for (const name of readdirSync(kept)) written.write(`${DATA}/${name}`, readFileSync(join(kept, name)));
}

/**
 * Gives a home the names of the models that this version knows, of the usual providers: who asks for `anthropic/…` finds
 * it, and a wrong name is as wrong as ever. They are asked for once and kept beside the store.
 */
export async function bringCatalog(home: string, command: readonly string[], version: string): Promise<void> {
  const kept = join(keptHomes(), `opencode-${version}-models-${CATALOG_FORM}.json`);
  if (!existsSync(kept)) await makeCatalog(kept, command);
  if (!existsSync(kept)) return;
  new UntrustedFolder(home).write(OPENCODE_CATALOG, readFileSync(kept));
}

function keptHomes(): string {
  return join(dirname(storeFolder(process.env)), 'homes');
}

const PRINTED = 'models.txt';

/** Without a catalog, only our own model can be asked for. */
async function makeCatalog(kept: string, command: readonly string[]): Promise<void> {
  // Nobody is asked; without a key, a provider is not listed.
  const provider = Object.fromEntries(OPENCODE_PROVIDERS.map((name) => [name, { options: { apiKey: 'none' } }]));
  const env = { OPENCODE_CONFIG_CONTENT: JSON.stringify({ enabled_providers: OPENCODE_PROVIDERS, provider }) };
  // Into a file: on a busy machine OpenCode ends before all of it has gone through a pipe.
  const intoFile = ['/bin/sh', '-c', `exec "$0" "$@" > ${PRINTED}`, ...command];
  await inNewHome(kept, intoFile, ['models', '--verbose'], env, (home) => {
    const catalog = catalogOf(readFileSync(join(home, PRINTED), 'utf8'));
    if (!CERTAIN.every((name) => name in catalog)) return;
    const written = join(home, 'catalog.json');
    writeFileSync(written, JSON.stringify(catalog));
    renameSync(written, kept);
  });
}

/** Without a database, OpenCode makes one itself: nothing is lost when this fails. */
async function makeDatabase(kept: string, command: readonly string[]): Promise<void> {
  await inNewHome(kept, command, ['db', 'path'], {}, (home) => {
    const data = join(home, DATA);
    for (const name of readdirSync(data)) {
      if (!name.startsWith('opencode.db')) rmSync(join(data, name), { recursive: true, force: true });
    }
    renameSync(data, kept);
  });
}

/** Runs OpenCode once in a home that goes afterwards. What is kept of it is taken if it ended well. */
async function inNewHome(
  kept: string,
  command: readonly string[],
  args: readonly string[],
  variables: Environment,
  take: (home: string) => void,
): Promise<void> {
  let scratch: Scratch | undefined;
  try {
    makeFolder(dirname(kept));
    scratch = createScratch('home', dirname(kept));
    const home = scratch.path;
    const env = scrubbedEnvironment({
      HOME: home,
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      npm_config_offline: 'true',
      ...variables,
    });
    const { code } = await runToEnd({
      command: [...command, ...args],
      cwd: home,
      env,
      deadlineMs: DEADLINE_MS,
    });
    if (code === 0) take(home);
  } catch {
    // Another run was faster, or the folder cannot be written.
  } finally {
    await scratch?.remove();
  }
}
