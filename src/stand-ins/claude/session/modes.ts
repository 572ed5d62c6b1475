import type { PermissionMode } from '../../../claude-code/permissions/decision.js';
import type { Session } from './session.js';

/** The modes that a session can be set to while it runs. */
export const MODES: readonly PermissionMode[] = [
  'acceptEdits',
  'auto',
  'bypassPermissions',
  'default',
  'dontAsk',
  'plan',
];

export function isMode(mode: unknown): mode is PermissionMode {
  return MODES.some((known) => known === mode);
}

/** Whether a session may be set to a mode: only one that was started for it may ask nobody. */
export function mayBecome({ parts }: Session, mode: PermissionMode): boolean {
  const { skipPermissions, allowSkipPermissions, permissionMode } = parts.options;
  return mode !== 'bypassPermissions' || skipPermissions || allowSkipPermissions || permissionMode === mode;
}
