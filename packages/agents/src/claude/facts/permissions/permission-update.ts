import { statSync } from 'node:fs';
import { dirname } from 'node:path';

interface SuggestedRule {
  toolName: string;
  ruleContent?: string;
}

/** A change of the permissions after which nobody would be asked again, as hooks and hosts are offered it. */
export type PermissionUpdate =
  | { type: 'addRules'; rules: SuggestedRule[]; behavior: 'allow'; destination: 'session' | 'localSettings' }
  | { type: 'setMode'; mode: 'acceptEdits'; destination: 'session' }
  | { type: 'addDirectories'; directories: string[]; destination: 'session' };

export const ACCEPT_EDITS: PermissionUpdate = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };

export function addRules(
  rules: SuggestedRule[],
  destination: 'session' | 'localSettings' = 'localSettings',
): PermissionUpdate {
  return { type: 'addRules', rules, behavior: 'allow', destination };
}

/** The folder of a file becomes one that tools may work in. */
export function addDirectoryOf(path: string): PermissionUpdate {
  return { type: 'addDirectories', directories: [folderOf(path)], destination: 'session' };
}

/** What is in the folder of a file may be read. The whole machine is never suggested. */
export function letRead(path: string): PermissionUpdate[] {
  const folder = folderOf(path);
  return folder === '/' ? [] : [addRules([{ toolName: 'Read', ruleContent: `/${folder}/**` }], 'session')];
}

function folderOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : dirname(path);
}
