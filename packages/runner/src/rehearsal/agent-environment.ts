import { statSync } from 'node:fs';
import { delimiter, dirname, resolve } from 'node:path';
import { allCredentials, nearestFolder } from '@understudy/agents';
import type { Environment, Path, UnlocatedProblem } from '@understudy/kit';
import type { RehearsalDocument } from './schema.js';

/** Where an agent lives, whom it talks to and what keeps it hermetic: a rehearsal that changes it tests something else. */
const OURS = new RegExp(
  `^(?:${[
    ...['HOME', 'TMPDIR', 'XDG_\\w+_HOME', 'NODE_OPTIONS', 'LD_PRELOAD', 'IS_SANDBOX', 'UNDERSTUDY_\\w+'],
    ...['CLAUDE_CONFIG_DIR', 'DISABLE_AUTOUPDATER', 'ENABLE_TOOL_SEARCH', 'ANTHROPIC_\\w+', 'OPENCODE_\\w+'],
    'CLAUDE_CODE_(?:DISABLE_NONESSENTIAL_TRAFFIC|EMIT_SESSION_STATE_EVENTS|TMPDIR|SHELL_PREFIX|MAX_RETRIES|USE_\\w+)',
    ...[
      'CODEX_\\w+',
      'OPENAI_\\w+',
      'GEMINI_\\w+',
      'GOOGLE_\\w+',
      '\\w+_PROXY',
      'NODE_EXTRA_CA_CERTS',
      'SSL_CERT_FILE',
    ],
  ].join('|')})$`,
  'i',
);
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The variables that a rehearsal sets for its agent. */
export function environmentOf({ env = {} }: RehearsalDocument, file: string): Environment {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => {
      if (!Array.isArray(value)) return [name, value];
      const folders = value.map((folder) => resolve(dirname(file), folder));
      return [name, [...folders, process.env['PATH'] ?? ''].filter((part) => part !== '').join(delimiter)];
    }),
  );
}

/** Finds variables that cannot be set, and folders for `PATH` that are not there. */
export function reviewEnvironment({ env = {} }: Pick<RehearsalDocument, 'env'>, file: string): UnlocatedProblem[] {
  return Object.entries(env).flatMap(([name, value]): UnlocatedProblem[] => {
    const path = ['env', name];
    const refused = refusalOf(name, value);
    if (refused !== undefined) return [{ code: 'ENV_REFUSED', ...refused, path }];
    if (!Array.isArray(value)) return [];
    return value.flatMap((folder, index) => (isFolder(file, folder) ? [] : [noFolder(file, folder, [...path, index])]));
  });
}

export function refusalOf(name: string, value: string | string[]): { message: string; fix: string } | undefined {
  if (!NAME.test(name)) {
    return { message: `\`${name}\` is not the name of a variable`, fix: 'Use letters, digits and underscores.' };
  }
  if (allCredentials.has(name)) {
    const fix = 'Remove it: only the stage `live` uses credentials, and it reads them from your environment.';
    return { message: `\`${name}\` is a credential of an agent, and a rehearsal cannot set it`, fix };
  }
  if (OURS.test(name)) {
    const fix = 'Remove it, or use a variable of your own.';
    return { message: `\`${name}\` is set by Understudy, and a rehearsal cannot change it`, fix };
  }
  if (name === 'PATH' && !Array.isArray(value)) {
    const fix = 'Write `PATH = ["bin"]`: a list of folders, relative to the rehearsal, that come first.';
    return { message: '`PATH` must be a list of folders', fix };
  }
  if (name !== 'PATH' && Array.isArray(value)) {
    return { message: `\`${name}\` must be a text`, fix: 'Only `PATH` can be a list.' };
  }
  return undefined;
}

export function isFolder(file: string, folder: string): boolean {
  return statSync(resolve(dirname(file), folder), { throwIfNoEntry: false })?.isDirectory() === true;
}

export function noFolder(file: string, folder: string, path: Path): UnlocatedProblem {
  const message = `there is no folder ${folder} beside the rehearsal`;
  return { code: 'FOLDER_NOT_FOUND', message, fix: nearestFolder(resolve(dirname(file), folder)), path };
}
