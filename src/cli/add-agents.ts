import {
  type AddProgress,
  addAgent,
  agentLocations,
  type FoundAgent,
  fetchedNames,
  folderSize,
  parseAgentSpec,
  storeFolder,
  versionFolder,
} from '@understudy/agents';
import { defined, paint, UnderstudyError } from '@understudy/kit';
import { untilInterrupted } from '@understudy/runner';
import { LiveArea } from '@understudy/verdict';
import { megabytes } from './megabytes.js';
import { errorToJson, print, printError, printJson, printNote } from './output.js';

export interface AddFlags {
  json?: boolean;
  /** How many minutes npm may take for each. */
  timeout?: number;
}

/** Without a terminal, so often a line says that the fetch goes on. */
const TELL_EVERY_MS = 15_000;

/** Fetches each; one that fails does not keep the others away. 2 when any could not be had. */
export function addAgents(specs: readonly string[], options: AddFlags): Promise<number> {
  // A typo is reported before anything is fetched.
  for (const spec of specs) parseAgentSpec(spec);
  return untilInterrupted((interrupted) => addAll(specs, options, interrupted));
}

/** Fetches the pinned versions of those named, or of every CLI of which the store has another version. */
export function updateAgents(names: readonly string[], options: AddFlags): Promise<number> {
  const wrong = names.find((name) => !fetchedNames.some((known) => known === name));
  if (wrong !== undefined) {
    throw new UnderstudyError('BAD_FLAG', `${JSON.stringify(wrong)} is not a CLI that has a pinned version`, {
      fix: `Name ${fetchedNames.join(', ')}, without a version; \`understudy agents add claude@VERSION\` fetches another one.`,
    });
  }
  const stored = fetchedNames.filter((name) => agentLocations(name).some(({ source }) => source === 'store'));
  const updated = names.length > 0 ? names : stored;
  if (updated.length === 0) {
    throw new UnderstudyError('AGENT_NOT_FOUND', 'the store has no CLI to update', {
      fix: `Fetch one: understudy agents add ${fetchedNames[0]}`,
    });
  }
  return addAgents(updated, options);
}

async function addAll(specs: readonly string[], flags: AddFlags, interrupted: AbortSignal): Promise<number> {
  const { json = false, timeout } = flags;
  const added: FoundAgent[] = [];
  const failed: { agent: string; error: unknown }[] = [];
  for (const spec of specs) {
    let progress: AddProgress | undefined;
    const since = performance.now();
    const area = new LiveArea(process.stderr, () => (progress === undefined ? [] : [describe(progress, since)]));
    if (process.stderr.isTTY) area.start();
    const teller = setInterval(() => {
      if (!process.stderr.isTTY && progress?.step === 'fetching') printNote(describe(progress, since));
    }, TELL_EVERY_MS);
    try {
      const onProgress = (news: AddProgress) => {
        progress = news;
        if (news.step === 'waiting') area.print(describe(news, since));
      };
      const found = await addAgent(spec, {
        onProgress,
        interrupted,
        ...defined({ limitMs: timeout && timeout * 60_000 }),
      });
      area.stop();
      added.push(found);
      const how = progress?.step === 'ready' ? ` fetched in ${seconds(since)}, ${megabytes(bytesOf(found))}` : '';
      if (!json)
        print(`${paint.green('✓')} ${found.agent}@${found.version}${how} ${paint.dim(found.command.at(-1) ?? '')}`);
    } catch (error) {
      area.stop();
      if (interrupted.aborted) {
        printNote(`${spec}: interrupted; nothing of it was kept`);
        break;
      }
      failed.push({ agent: spec, error });
      if (!json) printError(error);
    } finally {
      clearInterval(teller);
    }
  }
  if (json)
    printJson({
      ok: failed.length === 0 && !interrupted.aborted,
      added,
      failed: failed.map(({ agent, error }) => ({ agent, error: errorToJson(error) })),
    });
  return failed.length === 0 ? 0 : 2;
}

function describe({ agent, version, step, folder, lock, holder }: AddProgress, since: number): string {
  const name = `${agent}@${version}`;
  switch (step) {
    case 'waiting':
      return `${name}: waiting for ${holder === undefined ? 'another process' : `process ${holder.pid}`}, which holds ${lock}`;
    case 'fetching':
      return `${name}: fetching from npm, ${seconds(since)}, ${megabytes(folder === undefined ? 0 : folderSize(folder))}`;
    case 'ready':
    case 'present':
      return `${name}: in the store`;
  }
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

function bytesOf({ agent, version }: FoundAgent): number {
  return folderSize(versionFolder(storeFolder(), agent, version));
}
