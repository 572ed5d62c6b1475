import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { isInside } from '../../../claude-code/permissions/inside.js';
import type { JsonObject } from '../../../document/json.js';
import { adoptGroup, killGroup } from '../../../process/child-groups.js';
import { type LiveTool, number, type ToolContext, ToolFailure, type ToolRun, text } from './live-tool.js';

const DEFAULT_TIMEOUT_MS = 120_000;
const LONGEST_OUTPUT = 30_000;
/** The shell tells on this descriptor where it ended up. */
const CWD_DESCRIPTOR = 3;

export const bash: LiveTool = {
  parameters: {
    command: { type: 'string', required: true },
    description: { type: 'string' },
    timeout: { type: 'number' },
    run_in_background: { type: 'boolean' },
    dangerouslyDisableSandbox: { type: 'boolean' },
  },

  async run(input: JsonObject, context: ToolContext): Promise<ToolRun> {
    const timeout = number(input, 'timeout') ?? DEFAULT_TIMEOUT_MS;
    const ran = await runShell(text(input, 'command'), timeout, context);
    const said = shorten(ran.output.replace(/^(\s*\n)+/, '').trimEnd());
    if (ran.timedOut) {
      const after = `Command timed out after ${Math.floor(timeout / 1000)}s`;
      throw new ToolFailure(['Exit code 143', after, said].filter(Boolean).join('\n'));
    }
    if (ran.code !== 0) throw new ToolFailure([`Exit code ${ran.code}`, said].filter(Boolean).join('\n'));
    const left = ran.cwd !== undefined && !isInside(context.directories, ran.cwd);
    const note = left ? `Shell cwd was reset to ${context.cwd}` : '';
    const content = [said, note].filter(Boolean).join('\n');
    return {
      content: content === '' ? '(Bash completed with no output)' : content,
      useResult: {
        stdout: said,
        stderr: left ? `\n${note}` : '',
        interrupted: false,
        isImage: false,
        noOutputExpected: false,
      },
      saysNoError: true,
    };
  },
};

interface ShellRun {
  code: number;
  output: string;
  timedOut: boolean;
  cwd?: string;
}

async function runShell(command: string, timeout: number, context: ToolContext): Promise<ShellRun> {
  const script = `trap 'pwd -P >&${CWD_DESCRIPTOR}' EXIT\n${command}\n`;
  const child = spawn('/bin/bash', ['-c', script], {
    cwd: context.cwd,
    env: context.env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own, so that all of it can be ended.
    detached: true,
  });
  let output = '';
  let cwd = '';
  const take = (chunk: Buffer): void => {
    output += chunk.toString('utf8');
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  child.stdio[CWD_DESCRIPTOR]?.on('data', (chunk: Buffer) => {
    cwd += chunk.toString('utf8');
  });
  adoptGroup(child.pid);
  const end = (): void => killGroup(child.pid);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, timeout);
  context.signal.addEventListener('abort', end, { once: true });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(new ToolFailure(error.message)));
    child.once('close', (exit) => resolve(exit ?? 137));
    // A background child may hold the output open; the shell's own end is what counts.
    child.once('exit', (exit) => setTimeout(() => resolve(exit ?? 137), 200).unref());
  });
  clearTimeout(timer);
  context.signal.removeEventListener('abort', end);
  if (context.signal.aborted) throw context.signal.reason;
  return { code, output, timedOut, ...(cwd.trim() === '' ? {} : { cwd: sameName(cwd.trim(), context.cwd) }) };
}

/** The working directory may be reached through a link: it is still the same one. */
function sameName(path: string, cwd: string): string {
  return realpathSync(cwd) === path ? cwd : path;
}

function shorten(output: string): string {
  if (output.length <= LONGEST_OUTPUT) return output;
  const cut = output.slice(0, LONGEST_OUTPUT);
  const lines = output.slice(LONGEST_OUTPUT).split('\n').length;
  return `${cut}\n\n... [${lines} lines truncated] ...`;
}
