/** Guards: hooks, permission rules and policies. */
export const guardCodes = {
  GUARD_NONE: {
    meaning:
      'There is nothing in this folder that could stop an agent: no hook that can block, no permission rule, no list of servers.',
    fix: 'Name the folder of a plugin, or of a project with .claude/settings.json; or write a guard.toml.',
  },
  GUARD_INVALID: {
    meaning: 'guard.toml has a field that is missing, unknown or of the wrong type.',
    fix: 'Correct the field; docs/guards.md shows the file.',
  },
  GUARD_UNKNOWN: {
    meaning: 'guard.toml names a guard that is not there.',
    fix: 'Write a part of the command of a hook as `file`, or the name that the table shows as `name`.',
  },
  PERMIT_UNANSWERED: {
    meaning: 'Claude Code was asked whether it may use a tool, and the turn ended without an answer.',
    fix: 'Look at the name and the input of the tool; with --mode, at the permission mode.',
  },
} as const;
