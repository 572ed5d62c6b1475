import { compareVersions } from '../store/compare-versions.js';

/** What Claude Code offers by default, and Glob and Grep, which plugins speak of and some releases leave out. */
const TOOLS = [
  ...['Task', 'Bash', 'Edit', 'Glob', 'Grep', 'NotebookEdit', 'Read', 'Write', 'Skill', 'WebFetch', 'WebSearch'],
  ...['AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode', 'EnterWorktree', 'ExitWorktree', 'TaskStop', 'SendMessage'],
  ...['ListAgents', 'Monitor', 'Workflow', 'ReportFindings', 'ScheduleWakeup', 'CronCreate', 'CronDelete', 'CronList'],
];

/** What older releases offered beside them (seen in 2.1.197, gone in 2.1.325). */
const OLDER_TOOLS = [
  'TodoWrite',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskOutput',
  'TaskUpdate',
  'BashOutput',
  'KillShell',
];
const WITHOUT_OLDER_TOOLS = '2.1.300';

/**
 * The value of `--tools`. A list replaces the default, so it must be whole; a release ignores the
 * names that it does not know. Each tool makes every request longer, so none is named in vain.
 */
export function offeredTools(version: string | undefined): string {
  const older = version !== undefined && compareVersions(version, WITHOUT_OLDER_TOOLS) < 0;
  return [...TOOLS, ...(older ? OLDER_TOOLS : [])].join(',');
}
