import { homedir } from 'node:os';
import { join } from 'node:path';
import { type JsonObject, textOrEmpty } from '@understudy/kit';
import { EDITING_TOOLS, READING_TOOLS } from '../tools.js';
import { decide } from './decide.js';
import { hasContent } from './decide-bash.js';
import type { Decision, PermissionContext } from './decision.js';
import { fullPath } from './full-path.js';
import { isInsideAny } from './inside.js';
import { ACCEPT_EDITS, addDirectoryOf, addRules, letRead, type PermissionUpdate } from './permission-update.js';
import { parseRule } from './rules.js';
import { suggestForBash } from './suggest-for-bash.js';
import { suggestedRule } from './suggested-rule.js';

/** Why no change of the permissions would help. */
const WITHOUT_SUGGESTIONS = new Set(['hook', 'mode', 'rule']);

/** The changes of the permissions that are offered with a question, if there are such. */
export function suggest(
  tool: string,
  input: JsonObject,
  decision: Decision,
  context: PermissionContext,
  hasHost: boolean,
): PermissionUpdate[] | undefined {
  if (WITHOUT_SUGGESTIONS.has(decision.reasonType ?? '')) return undefined;
  if (tool === 'Bash') {
    const line = textOrEmpty(input['command']);
    const updates = suggestForBash(line, context);
    return hasHost && decision.reasonType !== 'safetyCheck' ? offeredToHost(line, updates, context) : updates;
  }
  const file = textOrEmpty(input['file_path'] ?? input['notebook_path'] ?? input['path']);
  if (EDITING_TOOLS.has(tool)) return suggestForEdit(tool, fullPath(context.cwd, file), context);
  if (READING_TOOLS.has(tool)) return letRead(fullPath(context.cwd, file));
  if (tool === 'Skill') {
    const skill = textOrEmpty(input['skill']);
    return [skill, `${skill}:*`].map((ruleContent) => addRules([{ toolName: tool, ruleContent }]));
  }
  const url = textOrEmpty(input['url']);
  if (tool === 'WebFetch' && URL.canParse(url))
    return [addRules([{ toolName: tool, ruleContent: `domain:${new URL(url).hostname}` }])];
  return [addRules([{ toolName: tool }])];
}

/** A host is also offered a rule about the line, but no rules that would not be enough. */
function offeredToHost(
  line: string,
  updates: PermissionUpdate[] | undefined,
  context: PermissionContext,
): PermissionUpdate[] | undefined {
  if (updates === undefined || updates.length === 0) return updates;
  const rules = updates.flatMap((update) => (update.type === 'addRules' ? update.rules : []));
  if (!rules.some(({ toolName }) => toolName === 'Bash'))
    return [addRules([{ toolName: 'Bash', ruleContent: suggestedRule(line) }]), ...updates];
  if (updates.some(({ type }) => type !== 'addRules')) return updates;
  const added = rules.flatMap(
    ({ toolName, ruleContent }) => parseRule(`${toolName}(${ruleContent})`, 'session', context.cwd) ?? [],
  );
  const allow = [...context.rules.allow, ...added];
  const { behavior } = decide('Bash', { command: line }, { ...context, rules: { ...context.rules, allow } });
  return behavior === 'allow' ? updates : undefined;
}

function suggestForEdit(tool: string, path: string, context: PermissionContext): PermissionUpdate[] | undefined {
  const { cwd, directories, mode, rules } = context;
  if (rules.ask.some((rule) => rule.tool === tool && !hasContent(rule))) return undefined;
  const skill = skillOf(path, cwd, '') ?? skillOf(path, homedir(), '~');
  if (skill !== undefined) return [addRules([{ toolName: 'Edit', ruleContent: `${skill}/**` }], 'session')];
  return [
    ...(mode === 'acceptEdits' ? [] : [ACCEPT_EDITS]),
    ...(isInsideAny(directories, path) ? [] : [addDirectoryOf(path)]),
  ];
}

/** The folder of the skill that a file belongs to, as a rule names it. */
function skillOf(path: string, root: string, prefix: string): string | undefined {
  const skills = join(root, '.claude/skills/');
  if (!path.startsWith(skills)) return undefined;
  const [name = '', ...below] = path.slice(skills.length).split('/');
  return below.length === 0 ? undefined : `${prefix}/.claude/skills/${name}`;
}
