import { homedir } from 'node:os';
import { isObject, type JsonObject } from '../../../document/json.js';
import { regexTest } from '../../../scenario/linear-regex.js';

export type Action = 'allow' | 'ask' | 'deny';

/** A rule; the last one that fits counts. The keys have the order in which OpenCode shows them. */
export interface Rule {
  permission: string;
  pattern: string;
  action: Action;
}

/** The rules of settings, in their order. */
export function rulesOf(permission: unknown): Rule[] {
  return Object.entries(isObject(permission) ? permission : {}).flatMap(([name, rule]) =>
    isObject(rule)
      ? Object.entries(rule).map(([pattern, action]) => ({
          permission: name,
          pattern: pattern.replace(/^(?:~(?=\/|$)|\$HOME)/, homedir()),
          action: action as Action,
        }))
      : [{ permission: name, action: rule as Action, pattern: '*' }],
  );
}

/** What the rules say about one thing. */
export function actionFor(permission: string, pattern: string, rules: readonly Rule[]): Action {
  return rules.findLast((rule) => fits(permission, rule.permission) && fits(pattern, rule.pattern))?.action ?? 'ask';
}

/** The rules about a permission. */
export function rulesAbout(permission: string, rules: readonly Rule[]): Rule[] {
  return rules.filter((rule) => fits(permission, rule.permission));
}

/** Whether the tool is not even offered: the last rule about it denies everything. */
export function isHidden(tool: string, rules: readonly Rule[]): boolean {
  const last = rulesAbout(permissionOf(tool), rules).at(-1);
  return last?.pattern === '*' && last.action === 'deny';
}

/** The permission that a tool needs. */
export function permissionOf(tool: string): string {
  return tool === 'write' ? 'edit' : tool;
}

/** `*` and `?`; what ends with ` *` fits without anything behind it, too. */
function fits(text: string, pattern: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
    .replace(/ \.\*$/, '(?: .*)?');
  return regexTest(`^${source}$`, { dotAll: true }).test(text);
}

/** What OpenCode permits where settings say nothing. */
export const DEFAULTS: readonly Rule[] = rulesOf({
  '*': 'allow',
  ...{ question: 'deny', plan_enter: 'deny', plan_exit: 'deny' },
  read: { '*': 'allow', '*.env': 'ask', '*.env.*': 'ask', '*.env.example': 'allow' },
} satisfies JsonObject);
