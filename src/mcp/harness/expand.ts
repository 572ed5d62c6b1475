import { findAgent, loadsPlugins } from '@understudy/agents';
import { defined, UnderstudyError } from '@understudy/kit';
import { expandCommand } from '@understudy/stage';
import type { Harness } from './harness.js';

export interface ExpansionOutcome {
  expands: boolean;
  name?: string;
  expansion?: string;
  problem?: string;
  fix?: string;
}

/** What the CLI says of a command, and of nothing else: these mean that it does not expand. */
const DOES_NOT = new Set(['COMMAND_INVALID', 'COMMAND_UNKNOWN', 'COMMAND_NOT_SENT']);

/** What a command becomes, with the plugins of a conversation or else the installed ones. */
export async function expandFor(
  harness: Harness,
  command: string,
  sessionId: string | undefined,
): Promise<ExpansionOutcome> {
  const held = sessionId === undefined ? undefined : harness.conversations.find(sessionId);
  const plugins = held?.facts.plugins ?? (await harness.plugins.folders());
  const agent = await findAgent(held !== undefined && loadsPlugins(held.facts.agent) ? held.facts.agent : 'claude');
  try {
    const { name, text } = await expandCommand({ agent, plugins, command });
    return { expands: true, name, expansion: text };
  } catch (error) {
    if (!(error instanceof UnderstudyError) || !DOES_NOT.has(error.code)) throw error;
    return { expands: false, problem: error.message, ...defined({ fix: error.fix }) };
  }
}
