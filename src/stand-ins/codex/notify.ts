import { spawn } from 'node:child_process';
import { defined } from '../../document/defined.js';

/** What the program of `notify` hears of. */
export interface EndedTurn {
  session: string;
  turnId: string;
  /** A reviewer has none. */
  client?: string;
  cwd: string;
  prompt: string;
  lastText: string | undefined;
}

/** Tells a program that a turn has ended. Codex does not wait for it; the stand-in does, so that it ends first. */
export async function notify(
  [program, ...args]: readonly string[],
  { session, turnId, client, cwd, prompt, lastText }: EndedTurn,
  place: { env: NodeJS.ProcessEnv; cwd: string },
): Promise<void> {
  if (program === undefined) return;
  const told = {
    type: 'agent-turn-complete',
    'thread-id': session,
    'turn-id': turnId,
    cwd,
    ...defined({ client }),
    'input-messages': [prompt],
    'last-assistant-message': lastText ?? null,
  };
  const child = spawn(program, [...args, JSON.stringify(told)], { cwd: place.cwd, env: place.env, stdio: 'ignore' });
  await new Promise<void>((resolve) => {
    child.on('error', () => resolve());
    child.on('close', () => resolve());
  });
}
