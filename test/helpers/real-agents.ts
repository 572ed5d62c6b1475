import type { TestContext } from 'vitest';
import { addAgent } from '../../packages/agents/src/store/add-agent.js';
import type { FoundAgent } from '../../packages/agents/src/store/find-agent.js';
import { UnderstudyError } from '../../packages/kit/src/errors.js';

const attempts = new Map<string, Promise<FoundAgent | UnderstudyError>>();

async function attempt(spec: string): Promise<FoundAgent | UnderstudyError> {
  try {
    return await addAgent(spec);
  } catch (error) {
    if (error instanceof UnderstudyError && error.code === 'AGENT_REGISTRY_UNREACHABLE') return error;
    throw error;
  }
}

/**
 * The real CLI from the agent store, fetched on demand and once. Where the registry cannot be
 * reached the test is skipped with one line; under CI=true it must be there.
 *
 * Call it in a test or hook: `const claude = await realAgent('claude', context)`. At the top level
 * of a file, without a context, the answer is undefined for `describe.skipIf(!claude)`.
 */
export async function realAgent(spec: string, context: TestContext): Promise<FoundAgent>;
export async function realAgent(spec: string): Promise<FoundAgent | undefined>;
export async function realAgent(spec: string, context?: TestContext): Promise<FoundAgent | undefined> {
  let pending = attempts.get(spec);
  if (pending === undefined) {
    pending = attempt(spec);
    attempts.set(spec, pending);
  }
  const found = await pending;
  if (!(found instanceof UnderstudyError)) return found;
  if (process.env['CI'] === 'true') throw found;
  const line = `skipped: ${spec} is not in the store and ${found.message}`;
  if (context === undefined) {
    console.warn(line);
    return undefined;
  }
  return context.skip(line);
}
