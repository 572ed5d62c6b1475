import { parseAgentSpec, pruneAgents, type RemovedAgent, removeAgent } from '@understudy/agents';
import { paint } from '@understudy/kit';
import { megabytes } from './megabytes.js';
import { errorToJson, print, printError, printJson, printNote } from './output.js';

/** Removes each; one that cannot go does not keep the others. 2 when any is still there. */
export async function removeAgents(specs: readonly string[], json: boolean): Promise<number> {
  // A typo is reported before anything is removed.
  for (const spec of specs) parseAgentSpec(spec);
  const removed: RemovedAgent[] = [];
  const failed: { agent: string; error: Record<string, unknown> }[] = [];
  for (const spec of specs) {
    try {
      removed.push(await removeAgent(spec));
    } catch (error) {
      failed.push({ agent: spec, error: errorToJson(error) });
      if (!json) printError(error);
    }
  }
  if (json) printJson({ ok: failed.length === 0, removed, bytes: total(removed), failed });
  else printRemoved(removed);
  return failed.length === 0 ? 0 : 2;
}

/** Removes what is not pinned. What is in use stays, and is reported. */
export async function pruneStore(keep: number, json: boolean): Promise<number> {
  const { removed, kept } = await pruneAgents({ keep });
  if (json) {
    const told = kept.map(({ agent, version, error }) => ({ agent, version, error: errorToJson(error) }));
    printJson({ ok: true, removed, bytes: total(removed), kept: told });
    return 0;
  }
  for (const { agent, version, error } of kept) printNote(`kept ${agent}@${version}: ${error.message}`);
  if (removed.length + kept.length === 0) print('nothing to remove');
  printRemoved(removed);
  return 0;
}

function printRemoved(removed: readonly RemovedAgent[]): void {
  for (const { agent, version, bytes } of removed) {
    print(`${paint.green('✓')} removed ${agent}@${version}, ${megabytes(bytes)}`);
  }
  if (removed.length > 1) print(`${removed.length} versions, ${megabytes(total(removed))}`);
}

function total(removed: readonly RemovedAgent[]): number {
  return removed.reduce((sum, { bytes }) => sum + bytes, 0);
}
