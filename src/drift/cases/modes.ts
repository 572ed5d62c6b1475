import { type Case, STREAM, say, tool } from '../case.js';

const HOOKED = { hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'echo begun' }] }] } };
const modeOf = (defaultMode: string, { permissions = {}, ...more }: { permissions?: object; hooks?: object } = {}) => ({
  permissions: { defaultMode, ...permissions },
  ...more,
});

/** Which mode a session begins in. */
export const MODE_CASES: readonly Case[] = [
  ...Object.entries({
    'of a project, in which nobody is asked': { '.claude/settings.json': modeOf('bypassPermissions', HOOKED) },
    'of a local file, in which nobody is asked': {
      'HOME/.claude/settings.json': modeOf('acceptEdits'),
      '.claude/settings.local.json': modeOf('auto'),
    },
    'of the user, in which nobody is asked': { 'HOME/.claude/settings.json': modeOf('bypassPermissions') },
    'of the user, and another one of the project': {
      'HOME/.claude/settings.json': modeOf('bypassPermissions'),
      '.claude/settings.json': modeOf('acceptEdits'),
    },
    'that does not exist': {
      'HOME/.claude/settings.json': modeOf('acceptEdits'),
      '.claude/settings.json': modeOf('nonsense', { ...HOOKED, permissions: { deny: ['Write'] } }),
    },
    'that is turned off': {
      'HOME/.claude/settings.json': {
        permissions: { defaultMode: 'bypassPermissions', disableBypassPermissionsMode: 'disable' },
      },
    },
  }).map(([what, files]) => ({
    name: `a mode ${what}`,
    args: [...STREAM, 'go'],
    files,
    turns: [[tool('Write', { file_path: 'x', content: 'y' }), say('done')]],
  })),
  {
    name: 'a mode that is turned off, by a flag',
    args: [...STREAM, 'go', '--dangerously-skip-permissions'],
    files: { 'HOME/.claude/settings.json': { permissions: { disableBypassPermissionsMode: 'disable' } } },
    turns: [[tool('Write', { file_path: 'x', content: 'y' }), say('done')]],
  },
];
