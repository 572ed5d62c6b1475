import { isObject, type JsonObject } from '@understudy/kit';
import { anything, flag, kindOf, object, optional, record, text } from '../shapes.js';
import { PERMISSION_UPDATES } from './update-shape.js';

/** What somebody says who was asked whether a tool may run. */
export type PermissionAnswer =
  | { behavior: 'allow'; updatedInput?: JsonObject; updatedPermissions?: JsonObject[] }
  | { behavior: 'deny'; message: string; interrupt?: boolean };

const ANSWER = kindOf('behavior', {
  allow: object({ updatedInput: optional(record(anything)) }),
  deny: object({ message: text(), interrupt: optional(flag) }),
});

/** Reads such an answer. One wrong change of the permissions, and none of them counts. */
export function readPermissionAnswer(value: unknown): PermissionAnswer | undefined {
  if (!isObject(value) || ANSWER(value, '').length > 0) return undefined;
  const { updatedPermissions, ...rest } = value;
  const counts = updatedPermissions !== undefined && PERMISSION_UPDATES(updatedPermissions, '').length === 0;
  return { ...rest, ...(counts ? { updatedPermissions } : {}) } as PermissionAnswer;
}

/** What the CLI says of an answer that it cannot use. */
export function invalidAnswer(whose: 'canUseTool callback' | 'permission prompt tool'): string {
  return (
    `The ${whose} returned an invalid permission result. Expected {behavior: 'allow', updatedInput?: object} or ` +
    "{behavior: 'deny', message: string}. updatedPermissions may hold at most 4096 updates, rules and directories in all."
  );
}
