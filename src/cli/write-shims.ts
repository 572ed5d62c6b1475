import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AgentName } from '../agents/pinned.js';
import { standInCommand } from '../agents/stand-in.js';
import { UnderstudyError } from '../errors.js';
import { shellWord } from '../process/shell-word.js';
import { print, printJson } from './output.js';

/** The name of each agent's real program. */
const PROGRAMS: Partial<Record<AgentName, string>> = { claude: 'claude', opencode: 'opencode', kiro: 'kiro-cli' };

const MARK = '# written by understudy shim';

/** Writes a small script for each stand-in. It never overwrites a program that is not ours. */
export function writeShims(dir: string, { json = false }: { json?: boolean } = {}): void {
  const folder = resolve(dir);
  const shims = (Object.entries(PROGRAMS) as [AgentName, string][]).flatMap(([agent, program]) => {
    const command = commandOf(agent);
    return command === undefined ? [] : [{ agent, path: join(folder, program), command }];
  });
  for (const { path } of shims) refuseToOverwrite(path);
  mkdirSync(folder, { recursive: true });
  for (const { path, command } of shims) {
    writeFileSync(path, `#!/bin/sh\n${MARK}\nexec ${command.map(shellWord).join(' ')} "$@"\n`);
    chmodSync(path, 0o755);
  }
  if (json) {
    printJson({ folder, shims: shims.map(({ agent, path }) => ({ agent, path })) });
    return;
  }
  for (const { path } of shims) print(`wrote ${path}`);
  print(`put the folder first on PATH:  export PATH="${folder}:$PATH"`);
}

function commandOf(agent: AgentName): string[] | undefined {
  try {
    return standInCommand(agent);
  } catch (error) {
    if (error instanceof UnderstudyError && error.code === 'AGENT_NO_STAND_IN') return undefined;
    throw error;
  }
}

function refuseToOverwrite(path: string): void {
  if (!existsSync(path) || readFileSync(path, 'latin1').slice(0, 200).includes(MARK)) return;
  throw new UnderstudyError('SHIM_IN_THE_WAY', `${path} exists and was not written by understudy`, {
    fix: 'Name another folder. A shim never overwrites a real program.',
  });
}
