import { runToEnd, scrubbedEnvironment } from '@understudy/kit';
import { commandIn } from './command.js';
import type { Contract } from './load-contract.js';

const DEADLINE_MS = 10_000;

/** What the orchestrator says about its version, if the contract says how to ask. */
export async function versionOf(contract: Contract): Promise<string> {
  const { version, folder } = contract;
  if (version === undefined) return 'not known';
  const command = commandIn(contract, version);
  const answer = await runToEnd({ command, cwd: folder, env: scrubbedEnvironment(), deadlineMs: DEADLINE_MS });
  const said = `${answer.stdout}\n${answer.stderr}`.trim();
  return /\d+\.\d+(?:\.\d+\S*)?/.exec(said)?.[0] ?? (said.split('\n')[0] || 'not known');
}
