import { addAgent } from '@understudy/agents';
import type { TestProject } from 'vitest/node';
import { rerunOnChange } from './rerun-on-change.js';

export { rerunOnChange };

declare module 'vitest' {
  interface ProvidedContext {
    /** The agents that the global set-up fetches; by default `['claude']`. */
    agents?: readonly string[];
  }
}

/**
 * A global set-up for Vitest: fetches the pinned agents into the store, once, before the first test. In watch mode, tests
 * run again when a plugin or scenario that they use changes.
 */
export async function setup(project: TestProject): Promise<void> {
  rerunOnChange(project);
  await fetchAgents(project.getProvidedContext().agents ?? ['claude']);
}

/** Fetches agents, for a global set-up of one's own. */
export async function fetchAgents(agents: readonly string[]): Promise<void> {
  await Promise.all(
    agents.map((agent) =>
      addAgent(agent, {
        onProgress: ({ agent: name, version, step, holder }) => {
          if (step === 'fetching') process.stderr.write(`fetching ${name}@${version} into the store\n`);
          if (step === 'waiting') {
            const who = holder === undefined ? 'another process' : `process ${holder.pid}`;
            process.stderr.write(`waiting for ${who}, which fetches ${name}@${version}\n`);
          }
        },
      }),
    ),
  );
}
