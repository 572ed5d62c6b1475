import { isObject, isStringList } from '@understudy/kit';
import type { SettingSource, SettingsFile } from '../settings.js';

export type RuleSource = SettingSource | 'cliArg' | 'session';

/** One permission rule: `Bash(git *)` is about the tool Bash, and about some of its uses. */
export interface PermissionRule {
  /** As it was written. */
  text: string;
  tool: string;
  /** What is in the parentheses; absent when the rule is about every use. */
  content?: string;
  source: RuleSource;
  /** The folder that a path in it is relative to. */
  root: string;
}

export interface PermissionRules {
  allow: PermissionRule[];
  deny: PermissionRule[];
  ask: PermissionRule[];
}

export const noRules = (): PermissionRules => ({ allow: [], deny: [], ask: [] });

const RULE = /^([^()]+?)(?:\(([\s\S]*)\))?$/;

/** Reads `Tool` or `Tool(content)`; `Tool()` and `Tool(*)` are about every use. */
export function parseRule(text: string, source: RuleSource, root: string): PermissionRule | undefined {
  const match = RULE.exec(text.trim());
  // What is no rule is taken for the name of a tool, which there is none of.
  const tool = match === null ? text.trim() : match[1]?.trim();
  if (tool === undefined || tool === '') return undefined;
  const content = match?.[2];
  const everyUse = content === undefined || /^\s*\*?\s*$/.test(content);
  return { text, tool, source, root, ...(everyUse ? {} : { content }) };
}

/** The rules of all settings files. */
export function rulesOfSettings(files: readonly SettingsFile[]): PermissionRules {
  const rules = noRules();
  for (const { settings, source, root } of files) {
    const { permissions } = settings;
    if (!isObject(permissions)) continue;
    for (const list of ['allow', 'deny', 'ask'] as const) {
      const texts = permissions[list];
      if (isStringList(texts)) addRules(rules[list], texts, source, root);
    }
  }
  return rules;
}

export function addRules(list: PermissionRule[], texts: readonly string[], source: RuleSource, root: string): void {
  for (const text of texts) {
    const rule = parseRule(text, source, root);
    if (rule !== undefined) list.push(rule);
  }
}

/** Whether a rule is about this tool at all. `mcp__server` is about every tool of that server. */
export function isAboutTool(rule: PermissionRule, tool: string): boolean {
  if (rule.tool === tool) return true;
  if (!tool.startsWith('mcp__')) return false;
  if (rule.tool.endsWith('*')) return tool.startsWith(rule.tool.slice(0, -1));
  return rule.tool.split('__').length === 2 && tool.startsWith(`${rule.tool}__`);
}

/** A tool that a rule denies for every use is not offered at all. A rule of the session comes when it is offered already. */
export function isDisabled(tool: string, { deny }: PermissionRules): boolean {
  return deny.some((rule) => rule.content === undefined && rule.source !== 'session' && isAboutTool(rule, tool));
}
