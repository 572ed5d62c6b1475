import pc from 'picocolors';
import { parseAgentSpec } from '../agents/spec.js';
import { type AddProgress, addAgent } from '../agents/store/add-agent.js';
import type { FoundAgent } from '../agents/store/find-agent.js';
import { errorToJson, formatError, print, printJson } from './output.js';

/** Fetches each agent. One failure does not stop the others; the exit code is then 2. */
export async function addAgents(specs: readonly string[], { json = false }: { json?: boolean }): Promise<number> {
  // Report a typo before anything is fetched.
  for (const spec of specs) parseAgentSpec(spec);
  const added: FoundAgent[] = [];
  const failed: { agent: string; error: unknown }[] = [];
  for (const spec of specs) {
    try {
      const found = await addAgent(spec, { onProgress: showProgress });
      added.push(found);
      if (!json) print(`${pc.green('✓')} ${found.agent}@${found.version} ${pc.dim(found.command.at(-1) ?? '')}`);
    } catch (error) {
      failed.push({ agent: spec, error });
      if (!json) process.stderr.write(`${formatError(error)}\n`);
    }
  }
  if (json)
    printJson({
      ok: failed.length === 0,
      added,
      failed: failed.map(({ agent, error }) => ({ agent, error: errorToJson(error) })),
    });
  return failed.length === 0 ? 0 : 2;
}

function showProgress({ agent, version, step, milliseconds }: AddProgress): void {
  const words: Record<AddProgress['step'], string> = {
    waiting: 'waiting for another process that is fetching it',
    fetching: 'fetching from npm',
    ready: `fetched in ${(milliseconds / 1000).toFixed(1)} s`,
    present: 'already in the store',
  };
  process.stderr.write(`${pc.dim(`${agent}@${version}: ${words[step]}`)}\n`);
}
