import { relative, resolve } from 'node:path';
import type { LiveResult } from '../../shared/tools/plain-tools.js';
import { actionFor, permissionOf, type Rule, rulesAbout } from './rules.js';
import { commandsIn } from './shell-commands.js';

export interface Gate {
  rules: readonly Rule[];
  cwd: string;
  worktree: string;
  /** What is to be asked is permitted. */
  approvesAll: boolean;
  /** Tells that a permission was asked for, and that nobody gave it. */
  onRejected(permission: string, patterns: readonly string[]): void;
}

const REJECTED = 'The user rejected permission to use this specific tool call.';
const DENIED =
  'The user has specified a rule which prevents you from using this specific tool call. Here are some of the relevant rules';

/** What becomes of a call that is not permitted. Undefined: it is. */
export function refusalOf(tool: string, input: Record<string, unknown>, gate: Gate): LiveResult | undefined {
  const { rules } = gate;
  const permission = permissionOf(tool);
  const about = rulesAbout(permission, rules);
  if (about.every(({ action }) => action === 'allow')) return undefined;
  const patterns = patternsOf(tool, input, gate);
  const actions = patterns.map((pattern) => actionFor(permission, pattern, rules));
  if (actions.includes('deny')) return { text: `${DENIED} ${JSON.stringify(about)}`, isError: true };
  if (!actions.includes('ask') || gate.approvesAll) return undefined;
  gate.onRejected(permission, patterns);
  return { text: REJECTED, isError: true, rejected: true };
}

/** What the call is about. */
function patternsOf(tool: string, input: Record<string, unknown>, { cwd, worktree }: Gate): string[] {
  const text = (name: string): string => String(input[name] ?? '');
  switch (tool) {
    case 'bash':
      return commandsIn(text('command'));
    case 'read':
    case 'write':
    case 'edit':
      return [relative(worktree, resolve(cwd, text('filePath')))];
    case 'glob':
    case 'grep':
      return [text('pattern')];
    case 'webfetch':
      return [text('url')];
    case 'skill':
      return [text('name')];
    case 'task':
      return [text('subagent_type')];
    default:
      return ['*'];
  }
}
