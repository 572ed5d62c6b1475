import { type PermissionMode, SESSION_MODES } from '@understudy/agents';
import type { Session } from './session.js';

export function isMode(mode: unknown): mode is PermissionMode {
  return SESSION_MODES.some((known) => known === mode);
}

/** Whether a session may be set to a mode: only one that was started for it may ask nobody. */
export function mayBecome({ parts }: Session, mode: PermissionMode): boolean {
  const { skipPermissions, allowSkipPermissions, permissionMode } = parts.options;
  return mode !== 'bypassPermissions' || skipPermissions || allowSkipPermissions || permissionMode === mode;
}
