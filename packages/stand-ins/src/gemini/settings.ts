import { join } from 'node:path';
import { isObject, parseJson, readIfThere, withoutComments } from '@understudy/kit';
import { NotSupported } from '../shared/refusal.js';
import { REFUSED } from './refused.js';

/** The settings that would change a run without a terminal. All others are ignored. */
export const REFUSED_SETTINGS = [
  ...['admin', 'adminPolicyPaths', 'hooks', 'mcp', 'mcpServers', 'policyPaths'],
  ...['context.fileFiltering', 'context.fileName', 'context.includeDirectories', 'general.defaultApprovalMode'],
  ...['model.maxSessionTurns', 'model.name', 'output.format'],
  ...['security.disableYoloMode', 'security.environmentVariableRedaction'],
  ...['tools.allowed', 'tools.callCommand', 'tools.confirmationRequired', 'tools.core', 'tools.discoveryCommand'],
  ...['tools.exclude', 'tools.sandbox', 'tools.shell'],
] as const;

/** Refuses settings of the user and the project that matter. */
export function refuseSettings(home: string, root: string): void {
  for (const file of [join(home, 'settings.json'), join(root, '.gemini', 'settings.json')]) {
    const text = readIfThere(file)?.trim() ?? '';
    if (text === '') continue;
    const settings = parseJson(withoutComments(text));
    if (!isObject(settings)) throw new NotSupported(REFUSED.unreadableSettings);
    const set = REFUSED_SETTINGS.find((path) => isSet(valueAt(settings, path)));
    if (set !== undefined) throw new NotSupported(`${REFUSED.setting} ${set}`);
  }
}

function valueAt(settings: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), settings);
}

function isSet(value: unknown): boolean {
  if (isObject(value)) return Object.keys(value).length > 0;
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false && value !== -1;
}
