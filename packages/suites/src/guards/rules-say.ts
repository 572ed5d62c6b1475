import {
  addRules,
  decide,
  deniedAgent,
  deniedFile,
  isDisabled,
  noRules,
  type PermissionRule,
  type PermissionRules,
  toolAliases,
} from '@understudy/agents';
import type { JsonObject } from '@understudy/kit';
import type { Attempt } from './guard.js';
import type { WrittenRule } from './setting.js';

/** Stands for the project folder, as in every scenario. */
export const CWD = '{{cwd}}';
const ROOT = '/project';

/** What rules say of a use of a tool, as far as it is known here; the real CLI has the last word. */
export type Saying = 'gone' | 'denied' | 'asked' | 'allowed' | 'open';

export function rulesSay({ tool = '', input = {} }: Attempt, { allow, ask, deny }: PermissionRules): Saying {
  const filled = JSON.parse(JSON.stringify(input).replaceAll(CWD, ROOT)) as JsonObject;
  const rooted = (rules: PermissionRule[]) => rules.map((rule) => ({ ...rule, root: ROOT }));
  const rules = { allow: rooted(allow), ask: rooted(ask), deny: rooted(deny) };
  const context = { cwd: ROOT, directories: [ROOT], mode: 'default', rules } as const;
  const names = toolAliases(tool);
  const [name = tool] = names;
  if (names.some((one) => isDisabled(one, rules))) return 'gone';
  const agent = typeof filled['subagent_type'] === 'string' ? deniedAgent(filled['subagent_type'], context) : undefined;
  if ((deniedFile(name, filled, context) ?? agent) !== undefined) return 'denied';
  const { behavior, reasonType } = decide(name, filled, context);
  if (behavior === 'deny') return 'denied';
  if (behavior === 'allow') return 'allowed';
  return reasonType === 'rule' ? 'asked' : 'open';
}

/** Rules of the texts of lists. */
export function rulesOf(texts: Partial<Record<keyof PermissionRules, readonly string[]>>): PermissionRules {
  const rules = noRules();
  for (const list of ['deny', 'ask', 'allow'] as const)
    addRules(rules[list], texts[list] ?? [], 'projectSettings', ROOT);
  return rules;
}

/** The rules of a list that make the difference by themselves. */
export function coveringRules(
  written: readonly WrittenRule[],
  list: WrittenRule['list'],
  attempt: Attempt,
): WrittenRule[] {
  const without = rulesSay(attempt, noRules());
  return written.filter(
    (rule) => rule.list === list && rulesSay(attempt, rulesOf({ [list]: [rule.text] })) !== without,
  );
}
