import { defined } from '@understudy/kit';
import type { PermissionMode } from '../modes.js';
import type { CommandDefinition } from '../slash-commands.js';
import type { PermissionRules } from './rules.js';

/** Everything that a permission depends on, besides the tool and its input. */
export interface PermissionContext {
  mode: PermissionMode;
  rules: PermissionRules;
  cwd: string;
  /** The folders that tools may work in: the working directory and those added to it. */
  directories: readonly string[];
  /** What the Skill tool can call. */
  commands?: readonly CommandDefinition[];
  /** No command of the shell has run yet. */
  isFresh?: boolean;
}

export type ReasonType =
  | 'rule'
  | 'mode'
  | 'subcommandResults'
  | 'workingDir'
  | 'hook'
  | 'classifier'
  | 'safetyCheck'
  | 'other';

/** May the tool be used? `ask` means that somebody has to be asked; where nobody can be, it is a no. */
export interface Decision {
  behavior: 'allow' | 'deny' | 'ask';
  reasonType?: ReasonType;
  reason?: string;
  /** What the model receives when the answer is no. */
  message: string;
  /** Why the stand-in cannot decide it. */
  undecided?: string;
  /** The path that it is about, for a host that is asked about a command. */
  path?: string;
  /** It would remove a folder that matters: no change of the permissions helps. */
  isRemoval?: true;
}

export const allowed = (reasonType?: ReasonType): Decision => ({
  behavior: 'allow',
  message: '',
  ...defined({ reasonType }),
});

export const asking = (message: string, reasonType?: ReasonType, reason?: string): Decision => ({
  behavior: 'ask',
  message,
  ...defined({ reasonType, reason }),
});

export const notGranted = (what: string): string =>
  `Claude requested permissions to ${what}, but you haven't granted it yet.`;
