import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { SettingsFile } from '../settings.js';
import { KNOWN_TOOLS } from '../tools.js';
import type { PermissionRule, PermissionRules } from './rules.js';

/** Tools that edit files without being Edit: a path in a rule about them is not looked at. */
const OTHER_EDITING_TOOLS: ReadonlySet<string> = new Set(['Write', 'MultiEdit', 'NotebookEdit']);
const LISTS = ['allow', 'deny', 'ask'] as const;

/** What the real CLI says on stderr about rules that do not do what they seem to. */
export function ruleWarnings(rules: PermissionRules, files: readonly SettingsFile[], cwd: string): string[] {
  const narrow = rules.allow
    .filter(({ tool, content, text }) => OTHER_EDITING_TOOLS.has(tool) && content === undefined && text.includes('('))
    .map(
      ({ text, tool }) =>
        `Permission allow rule "${text}" lets ${tool} run without asking only in the working directories. ` +
        `"${tool}" alone allows every path. Older versions of Claude Code treat "${text}" as "${tool}", ` +
        'and this version will too if Anthropic turns this change off.',
    );
  const unknown = (['deny', 'ask'] as const).flatMap((list) =>
    rules[list]
      .filter(({ tool }) => !KNOWN_TOOLS.has(tool) && !tool.startsWith('mcp__') && !tool.includes('*'))
      .map(({ text }) => `Permission ${list} rule "${text}" matches no known tool — check for typos.`),
  );
  const unmatched = LISTS.flatMap((list) =>
    rules[list]
      .filter((rule) => OTHER_EDITING_TOOLS.has(rule.tool) && rule.content !== undefined)
      .map(
        (rule) =>
          `Permission ${list} rule (${originOf(rule, list, files, cwd)}): ${rule.text} is not matched by file permission checks — ` +
          `only Edit(path) rules are. Use Edit(${rule.content}) instead (Edit rules cover all file-editing tools).`,
      ),
  );
  return [...narrow, ...unknown, ...unmatched];
}

function originOf(
  rule: PermissionRule,
  list: (typeof LISTS)[number],
  files: readonly SettingsFile[],
  cwd: string,
): string {
  if (rule.source === 'cliArg') return list === 'allow' ? '--allowed-tools' : '--disallowed-tools';
  const origin = files.find(({ source }) => source === rule.source)?.origin;
  if (origin === undefined) return rule.source;
  return 'file' in origin ? relative(cwd, origin.file) : inlineFile(origin.inline);
}

/** The real CLI writes JSON of the command line to a file that is named after its content. */
function inlineFile(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return join(tmpdir(), `claude-${process.getuid?.() ?? 0}`, `claude-settings-${digest}.json`);
}
