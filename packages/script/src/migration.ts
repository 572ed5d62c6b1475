import type { UnlocatedProblem } from '@understudy/kit';
import { isObject } from '@understudy/kit';

/**
 * Refuses the old `[conversations.name]` tables. The fix shows the same conversation as a rule with turns:
 * what its first turn expects becomes the pattern, and the other turns stay turns.
 */
export function migrateConversations(conversations: unknown): UnlocatedProblem[] {
  if (!isObject(conversations)) return [finding('…', '', ['conversations'])];
  return Object.entries(conversations).map(([name, conversation]) => {
    const turns =
      isObject(conversation) && Array.isArray(conversation.turns) ? conversation.turns.filter(isObject) : [];
    return finding(name, turns.length === 0 ? '' : asRule(turns), ['conversations', name]);
  });
}

function finding(name: string, rule: string, path: string[]): UnlocatedProblem {
  return {
    code: 'CONVERSATIONS_REMOVED',
    message: `[conversations.${name}] is an old form; write a conversation as a rule with \`turns\``,
    fix:
      rule === ''
        ? 'make its first turn a `[[responses]]` entry, and the others its `turns`'
        : `write it as\n\n${rule}`,
    path,
  };
}

function asRule([first, ...rest]: Record<string, unknown>[]): string {
  const lines = ['[[responses]]', `pattern = ${toml(first?.expect ?? { type: 'any' })}`];
  for (const field of ['response', 'failure'])
    if (first?.[field] !== undefined) lines.push(`${field} = ${toml(first[field])}`);
  if (rest.length > 0) lines.push('turns = [', ...rest.map((turn) => `  ${toml(turn)},`), ']');
  return lines.join('\n');
}

function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  if (isObject(value)) {
    const entries = Object.entries(value).map(
      ([key, entry]) => `${/^[\w-]+$/.test(key) ? key : JSON.stringify(key)} = ${toml(entry)}`,
    );
    return `{ ${entries.join(', ')} }`;
  }
  return JSON.stringify(value) ?? '""';
}

/**
 * Reads the names of claudeless, with hyphens, as ours: `rate-limit` is `rate_limit`, `accept-edits` is `acceptEdits`.
 * Gives the document itself where there is nothing to change.
 */
export function migrateNames(document: unknown): unknown {
  if (!isObject(document)) return document;
  const { permission_mode: mode } = document;
  const renamed = migrateFailures(document) as Record<string, unknown>;
  if (typeof mode !== 'string' || !mode.includes('-')) return renamed;
  return { ...renamed, permission_mode: mode.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) };
}

function migrateFailures(value: unknown): unknown {
  if (Array.isArray(value)) {
    const entries = value.map(migrateFailures);
    return entries.some((entry, at) => entry !== value[at]) ? entries : value;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, entry]): [string, unknown] => {
    const type = key === 'failure' && isObject(entry) ? entry['type'] : undefined;
    if (typeof type === 'string' && type.includes('-'))
      return [key, { ...(entry as object), type: type.replaceAll('-', '_') }];
    return [key, ['responses', 'turns', 'faults'].includes(key) ? migrateFailures(entry) : entry];
  });
  return entries.some(([key, entry]) => entry !== value[key]) ? Object.fromEntries(entries) : value;
}
