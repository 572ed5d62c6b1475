import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { type JsonObject, textOrEmpty } from '@understudy/kit';
import { findSkill } from '../find-skill.js';
import { DENIAL_ADVICE } from '../rejections.js';
import { EDITING_TOOLS, READING_TOOLS, RESOURCE_TOOLS, TO_DO_TOOLS, TOOLS_WITH_A_HOST, toolName } from '../tools.js';
import { decideBash } from './decide-bash.js';
import { allowed, asking, type Decision, notGranted, type PermissionContext } from './decision.js';
import { isAboutEdits } from './denied.js';
import { fullPath } from './full-path.js';
import { isInsideAny } from './inside.js';
import { coversParameter, coversPath, coversPathWidely, coversSkill, coversUrl } from './match-rule.js';
import { isAboutTool, type PermissionRule } from './rules.js';
import { isOwnFile, safetyCheck } from './sensitive-files.js';

/** Tools that change nothing outside of the session. */
const FREE = new Set([
  ...TO_DO_TOOLS,
  ...RESOURCE_TOOLS,
  'Task',
  'Agent',
  'ToolSearch',
  'StructuredOutput',
  'ListAgents',
  'TaskStop',
  ...TOOLS_WITH_A_HOST,
]);

const OUTSIDE = 'Path is outside allowed working directories';

/** Decides whether a tool may be used, from the mode and the rules alone. */
export function decide(tool: string, input: JsonObject, context: PermissionContext): Decision {
  if (context.mode === 'plan' || context.mode === 'auto') return decideWithCheck(tool, input, context);
  const decision = decideByTool(tool, input, context);
  if (decision.undecided !== undefined) return decision;
  if (decision.behavior !== 'ask' || context.mode !== 'dontAsk') return decision;
  const message = `Permission to use ${tool} has been denied because Claude Code is running in don't ask mode. ${DENIAL_ADVICE}`;
  return { behavior: 'deny', reasonType: 'mode', message };
}

/**
 * While a plan is made and in auto mode, a check of the API stands in for the user: what nobody else has allowed goes
 * there, subagents included. Where the requests do not go to Anthropic, there is no such check, and the answer is no.
 */
function decideWithCheck(tool: string, input: JsonObject, context: PermissionContext): Decision {
  const isAuto = context.mode === 'auto';
  const decision = decideByTool(tool, input, isAuto ? { ...context, mode: 'acceptEdits' } : context);
  const { behavior, reasonType, undecided } = decision;
  if (undecided !== undefined) return decision;
  if (behavior === 'deny' || reasonType === 'rule' || (!isAuto && reasonType === 'mode')) return decision;
  if (behavior === 'allow') return CHECKED.has(tool) ? unchecked(tool) : decision;
  return READING_TOOLS.has(tool) ? allowed('mode') : unchecked(tool);
}

/** What needs no permission in other modes. */
const CHECKED = new Set(['Task', 'Agent']);

function unchecked(tool: string): Decision {
  return {
    behavior: 'deny',
    reasonType: 'classifier',
    reason: 'Classifier unavailable',
    message:
      `Auto mode is unavailable: its safety check does not run for this session, so ${toolName(tool)} was not run. ` +
      "Other actions that need the check will be denied too, and retrying won't help. Finish what you can without them, " +
      'then tell the user what is blocked and that they can switch to another permission mode.',
  };
}

function decideByTool(tool: string, input: JsonObject, context: PermissionContext): Decision {
  return decideByParameter(tool, input, context) ?? decideByMeaning(tool, input, context);
}

/** A rule such as `Bash(timeout:5000)`. It can deny and ask, not allow, and servers' tools have none. */
function decideByParameter(tool: string, input: JsonObject, context: PermissionContext): Decision | undefined {
  const { rules } = context;
  const isAbout = (rule: PermissionRule): boolean => rule.tool === tool && coversParameter(rule, input);
  if (tool.startsWith('mcp__')) return undefined;
  const denied = rules.deny.find(isAbout);
  if (denied !== undefined) {
    const message = `Permission to use ${tool} with ${denied.content} has been denied.`;
    return { behavior: 'deny', reasonType: 'rule', message };
  }
  if (!rules.ask.some(isAbout)) return undefined;
  // Another reason to ask comes first.
  const other = decideByMeaning(tool, input, { ...context, rules: { ...rules, allow: [] } });
  return other.behavior === 'allow' ? asking(notGranted(`use ${tool}`), 'rule') : other;
}

function decideByMeaning(tool: string, input: JsonObject, context: PermissionContext): Decision {
  if (tool === 'Bash') return decideBash(textOrEmpty(input['command']), context);
  if (READING_TOOLS.has(tool))
    return decideRead(textOrEmpty(input['file_path'] ?? input['path'] ?? '.'), tool, context);
  if (EDITING_TOOLS.has(tool))
    return decideEdit(textOrEmpty(input['file_path'] ?? input['notebook_path']), tool, context);
  const { rules, mode } = context;
  const about = (list: readonly PermissionRule[]): boolean =>
    list.some((rule) => isAboutTool(rule, tool) && coversInput(rule, input));
  if (about(rules.deny)) return { behavior: 'deny', reasonType: 'rule', message: denialOf(tool, input) };
  // A rule about one skill does not ask.
  if (about(rules.ask.filter((rule) => tool !== 'Skill' || rule.content === undefined)))
    return asking(notGranted(`use ${tool}`), 'rule');
  if (mode === 'bypassPermissions') return allowed('mode');
  if (about(rules.allow)) return allowed('rule');
  if (FREE.has(tool)) return allowed();
  if (tool === 'Skill') return decideSkill(textOrEmpty(input['skill']), context);
  return asking(notGranted(`use ${tool}`));
}

/** A skill that brings permissions along needs one itself. */
function decideSkill(skill: string, { commands = [] }: PermissionContext): Decision {
  const allows = findSkill(commands, skill)?.allowedTools ?? [];
  if (allows.length === 0) return allowed();
  return asking(
    `Execute skill: ${skill}. The user can add the allow rule Skill(${skill}) to .claude/settings.local.json to let it run without asking.`,
  );
}

function decideRead(file: string, tool: string, context: PermissionContext): Decision {
  const { rules, cwd, directories, mode } = context;
  const isAbout = (rule: PermissionRule): boolean => rule.tool === 'Read' || rule.tool === tool;
  const path = fullPath(cwd, file);
  if (rules.ask.some((rule) => isAbout(rule) && coversPathWidely(rule, file, cwd)))
    return asking(notGranted(`read from ${path}`), 'rule');
  if (isInsideAny(directories, path) || mode === 'bypassPermissions') return allowed('mode');
  if (rules.allow.some((rule) => isAbout(rule) && coversPath(rule, file, cwd))) return allowed('rule');
  return asking(notGranted(`read from ${path}`), 'workingDir', OUTSIDE);
}

function decideEdit(file: string, tool: string, context: PermissionContext): Decision {
  const isBare = (rule: PermissionRule): boolean => rule.tool === tool && rule.content === undefined;
  const decision = decideEditOf(file, isBare, context);
  // A rule about the whole tool asks only where nothing else does.
  return decision.behavior === 'allow' && context.rules.ask.some(isBare)
    ? asking(notGranted(`use ${tool}`), 'rule')
    : decision;
}

function decideEditOf(
  file: string,
  isBare: (rule: PermissionRule) => boolean,
  { rules, cwd, directories, mode }: PermissionContext,
): Decision {
  const path = fullPath(cwd, file);
  const refused = refuseLink(path);
  if (refused !== undefined) return refused;
  if (rules.ask.some((rule) => isAboutEdits(rule) && coversPathWidely(rule, file, cwd)))
    return asking(notGranted(`write to ${path}`), 'rule');
  if (mode === 'bypassPermissions') return allowed('mode');
  if (isOwnFile(path, cwd)) return allowed('other');
  const unsafe = safetyCheck(path);
  if (unsafe !== undefined) return unsafe;
  if (mode === 'plan') return asking(`Cannot write to ${path} while in plan mode.`, 'mode');
  if (rules.allow.some((rule) => isBare(rule) || (isAboutEdits(rule) && coversPath(rule, file, cwd))))
    return allowed('rule');
  if (!isInsideAny(directories, path)) return asking(notGranted(`write to ${path}`), 'workingDir', OUTSIDE);
  return mode === 'acceptEdits' ? allowed('mode') : asking(notGranted(`write to ${path}`));
}

/** The CLI does not write through a link, whatever the rules say. */
function refuseLink(path: string): Decision | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  const target = existsSync(path) ? realpathSync(path) : readlinkSync(path);
  const message = `Refusing to write ${path}: it is a symbolic link. Write to the link's target path instead: ${target}.`;
  return { behavior: 'deny', reasonType: 'other', reason: 'Write target is a symbolic link', message };
}

function coversInput(rule: PermissionRule, input: JsonObject): boolean {
  if (rule.content === undefined) return true;
  if (rule.tool === 'WebFetch') return coversUrl(rule, textOrEmpty(input['url']));
  return rule.tool === 'Skill' && coversSkill(rule, textOrEmpty(input['skill']));
}

function denialOf(tool: string, input: JsonObject): string {
  if (tool === 'Skill') return 'Skill execution blocked by permission rules';
  const url = textOrEmpty(input['url']);
  if (tool === 'WebFetch' && URL.canParse(url)) return `WebFetch denied access to domain:${new URL(url).hostname}.`;
  return `Permission to use ${tool} has been denied.`;
}
