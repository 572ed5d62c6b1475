import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAgentSpec } from '../agents/spec.js';
import { type AddProgress, addAgent } from '../agents/store/add-agent.js';
import type { FoundAgent } from '../agents/store/find-agent.js';
import { LiveArea } from '../reporters/live-area.js';
import { untilInterrupted } from '../runner/interruption.js';
import { paint } from '../terminal/paint.js';
import { errorToJson, print, printError, printJson, printNote } from './output.js';

/** Fetches each; one that fails does not keep the others away. 2 when any could not be had. */
export function addAgents(specs: readonly string[], { json = false }: { json?: boolean }): Promise<number> {
  // A typo is told before anything is fetched.
  for (const spec of specs) parseAgentSpec(spec);
  return untilInterrupted((interrupted) => addAll(specs, json, interrupted));
}

async function addAll(specs: readonly string[], json: boolean, interrupted: AbortSignal): Promise<number> {
  const added: FoundAgent[] = [];
  const failed: { agent: string; error: unknown }[] = [];
  for (const spec of specs) {
    let progress: AddProgress | undefined;
    const since = performance.now();
    const area = new LiveArea(process.stderr, () => (progress === undefined ? [] : [describe(progress, since)]));
    // Where nobody watches, one line at the end is enough.
    if (process.stderr.isTTY) area.start();
    try {
      const onProgress = (news: AddProgress) => {
        progress = news;
        if (news.step === 'waiting') area.print(describe(news, since));
      };
      const found = await addAgent(spec, { onProgress, interrupted });
      area.stop();
      added.push(found);
      const how = progress?.step === 'ready' ? ` fetched in ${seconds(since)}` : '';
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
      return `${name}: fetching from npm, ${seconds(since)}, ${megabytes(folder)} MB`;
    case 'ready':
    case 'present':
      return `${name}: in the store`;
  }
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

function megabytes(folder: string | undefined): number {
  return folder === undefined ? 0 : Math.round(sizeOf(folder) / 1_000_000);
}

/** The size of all files below a folder, while npm writes them. */
function sizeOf(folder: string): number {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sum + sizeOf(path);
      return sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    }, 0);
  } catch {
    return 0;
  }
}
