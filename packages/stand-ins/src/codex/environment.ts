import { pinnedVersions } from '@understudy/agents';

export const CODEX_VERSION = pinnedVersions.codex;

/** What Codex sets for each command, so that nothing waits for a person and all machines print the same. */
export const VARIABLES = {
  CODEX_APPLY_PATCH_PRESERVE_LINE_ENDINGS: '1',
  CODEX_CI: '1',
  CODEX_VERSION,
  COLORTERM: '',
  GH_PAGER: 'cat',
  GIT_PAGER: 'cat',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  LC_CTYPE: 'C.UTF-8',
  NO_COLOR: '1',
  PAGER: 'cat',
  TERM: 'dumb',
};

/** The environment of a command. What Codex has inherited comes back with the snapshot that it takes of the user's shell. */
export function commandEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...VARIABLES, ...env };
}
