import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, scrubbedEnvironment } from '@understudy/kit';
import { prepareProject } from '@understudy/runner';
import { defineScenario } from '@understudy/script';
import { agentsOn } from '@understudy/stage';
import { PlacedAgents } from '../testing/placed-agents.js';

/** What a program did in a run with stand-ins that answer `ANSWER` to everything. */
export interface ProgramTry {
  code: number | null;
  stdout: string;
  stderr: string;
  calls: { agent: string; prompt: string }[];
  timedOut: boolean;
  /** The folder in which it ran: texts that name it are different in each run. */
  folder: string;
}

/** Agents want a repository. */
export const PROGRAM_PROJECT = { git: true } as const;

export const ANSWER = 'Done.';
const LONGEST_MS = 60_000;

/** Runs a program once in an empty repository, with stand-ins of all agents on its PATH and the scripted model for SDKs. */
export async function tryProgram(command: readonly string[]): Promise<ProgramTry> {
  const scratch = createScratch('init');
  const root = realpathSync(scratch.path);
  const folder = join(root, 'project');
  const own = join(root, 'agents');
  mkdirSync(own);
  await prepareProject(PROGRAM_PROJECT, folder, folder);
  const placed = await PlacedAgents.start({
    ...{ agents: agentsOn('sim'), stage: 'sim', folder: own },
    scenario: defineScenario({ default_response: ANSWER }),
    environment: scrubbedEnvironment({ HOME: join(own, 'home') }),
  });
  try {
    const { ended, calls } = await placed.run({ command, cwd: folder, watched: false, timeoutMs: LONGEST_MS });
    return {
      ...{
        code: ended?.code ?? null,
        stdout: ended?.stdout ?? '',
        stderr: ended?.stderr ?? '',
        timedOut: ended?.timedOut ?? false,
        folder: root,
      },
      calls: calls.map(({ agent, prompt }) => ({ agent, prompt: prompt ?? '' })),
    };
  } finally {
    await placed.close();
    await scratch.remove();
  }
}
