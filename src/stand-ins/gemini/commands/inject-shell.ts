import { runCommand } from '../command-run.js';
import type { Part } from '../files/file-content.js';
import type { Workspace } from '../files/workspace.js';
import { NotSupported } from '../options.js';
import type { ToolPolicy } from '../policy/tool-policy.js';
import { CommandProblem, type Injection, injectionsIn } from './injections.js';

interface ShellContext {
  env: NodeJS.ProcessEnv;
  workspace: Workspace;
  policy: ToolPolicy;
}

/** Puts the arguments of a command into its prompt, and what the commands in `!{…}` print. */
export async function injectShell(
  parts: readonly Part[],
  command: string,
  args: string,
  context: ShellContext,
): Promise<Part[]> {
  const injected: Part[] = [];
  for (const part of parts)
    injected.push('text' in part ? { text: await injectInto(part.text, command, args, context) } : part);
  return injected;
}

async function injectInto(text: string, command: string, args: string, context: ShellContext): Promise<string> {
  const withArgs = (piece: string): string => piece.replaceAll('{{args}}', () => args);
  const injections = injectionsIn(text, '!{', command).map((injection) => ({
    ...injection,
    content: injection.content.replaceAll('{{args}}', () => quotedWord(args)),
  }));
  for (const { content } of injections) checkAllowed(content, command, context.policy);
  let result = '';
  let from = 0;
  for (const { content, start, end } of injections) {
    result += withArgs(text.slice(from, start)) + (content === '' ? '' : await outputOf(content, context));
    from = end;
  }
  return result + withArgs(text.slice(from));
}

function checkAllowed(line: Injection['content'], command: string, policy: ToolPolicy): void {
  if (line === '') return;
  const decision = policy.decisionOn(line);
  if (decision === 'ask') throw new NotSupported(`a command that somebody must confirm (${line})`);
  if (decision === 'deny')
    throw new CommandProblem(`${command} cannot be run. Blocked command: "${line}". Reason: Blocked by policy.`);
}

async function outputOf(line: string, { env, workspace }: ShellContext): Promise<string> {
  const { said, exitCode, signal } = await runCommand(line, workspace.root, env);
  if (exitCode !== 0 && signal === undefined) return `${said}\n[Shell command '${line}' exited with code ${exitCode}]`;
  return `${said}\n[Shell command '${line}' terminated by signal ${signal ?? 0}]`;
}

/** The arguments as one word of a shell. */
export function quotedWord(args: string): string {
  if (args === '') return "''";
  if (/["\s\\]/.test(args) && !args.includes("'")) return `'${args}'`;
  if (/["'\s]/.test(args)) return `"${args.replace(/["\\$`!]/g, '\\$&')}"`;
  return args.replace(/[#!"$&'()*,:;<=>?@[\\\]^`{|}]/g, '\\$&');
}
