import type { PermissionMode } from '@understudy/agents';
import { createScratch, defined, paint } from '@understudy/kit';
import { untilInterrupted } from '@understudy/runner';
import { askPermit, type Permit } from '@understudy/suites';
import { chosenIsolation } from './chosen-isolation.js';
import { requiredIsolation } from './guard-folder.js';
import { print, printJson } from './output.js';

export interface PermitFlags {
  mode?: PermissionMode;
  settings?: string;
  managed?: string;
  agent: string;
  isolation?: string;
  json?: true;
}

const COLORS = { allowed: paint.green, asked: paint.yellow, denied: paint.red } as const;

/** Asks one question, and gives the exit code. */
export async function askPermitCommand(use: string, path: string, flags: PermitFlags): Promise<number> {
  const isolation = requiredIsolation(flags.isolation);
  await chosenIsolation(isolation);
  const { mode, settings, managed, agent } = flags;
  const scratch = createScratch('permit');
  try {
    return await untilInterrupted(async (signal) => {
      const options = { agent, scratch: scratch.path, signal, ...defined({ mode, settings, managed, isolation }) };
      const permit = await askPermit(use, path, options);
      if (flags.json === true) printJson({ ok: true, agent, mode: mode ?? 'default', ...permit });
      else show(permit);
      return 0;
    });
  } finally {
    await scratch.remove();
  }
}

function show({ question, answer, by, reason, evidence }: Permit): void {
  print(`${COLORS[answer](answer)}  ${paint.bold(question)}`);
  for (const { kind, text, file, line } of by)
    print(`  by ${kind}  ${text}  ${paint.dim(line === undefined ? file : `${file}:${line}`)}`);
  print(`  ${reason}`);
  for (const text of evidence) print(paint.dim(`  | ${text}`));
}
