import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  defined,
  type Environment,
  runToEnd,
  scrubbedEnvironment,
  UnderstudyError,
  UntrustedFolder,
} from '@understudy/kit';

/** The author of commits in a test project, on every machine. */
const testIdentity = { name: 'Understudy', email: 'understudy@example.com' } as const;

const DEADLINE_MS = 30_000;

export interface GitOptions {
  /** Author and committer date, such as "2026-01-01T00:00:00Z": equal content then gives equal commit ids. */
  date?: string;
  /** `user`: in a repository of the user, with the settings of the user. By default none are read. */
  configuration?: 'user';
}

/** Variables under which git reads no configuration of this user or machine, and commits as the test identity. */
/**
 * An agent may have written the configuration of its repository, and git outside of the sandbox would run what it names:
 * these come before it. Nothing is fetched either: the command of a remote is of the configuration, too.
 */
const OUR_OWN_WAY = {
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  ...asConfiguration({
    'core.fsmonitor': 'false',
    'core.hooksPath': '/dev/null',
    'log.showSignature': 'false',
    'gpg.program': 'false',
  }),
};

function asConfiguration(settings: Record<string, string>): Record<string, string> {
  const entries = Object.entries(settings).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(Object.keys(settings).length), ...Object.fromEntries(entries) };
}

export function gitEnvironment({ date }: GitOptions = {}): Environment {
  return {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    ...OUR_OWN_WAY,
    GIT_AUTHOR_NAME: testIdentity.name,
    GIT_AUTHOR_EMAIL: testIdentity.email,
    GIT_COMMITTER_NAME: testIdentity.name,
    GIT_COMMITTER_EMAIL: testIdentity.email,
    ...(date === undefined ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }),
  };
}

/** What the user trusts and ignores is in the user's own settings; what a repository wants to be run is not. */
function ofUser(): Environment {
  const { HOME, XDG_CONFIG_HOME } = process.env;
  return { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', ...OUR_OWN_WAY, ...defined({ HOME, XDG_CONFIG_HOME }) };
}

/** Runs git in a folder, hermetically, and gives back its output. */
export async function git(folder: string, args: readonly string[], options: GitOptions = {}): Promise<string> {
  const outcome = await runToEnd({
    command: ['git', ...args],
    cwd: folder,
    // No HOME: git would look for ignore and attribute files there.
    env: scrubbedEnvironment({
      ...(options.configuration === 'user' ? ofUser() : gitEnvironment(options)),
      LC_ALL: 'C',
    }),
    deadlineMs: DEADLINE_MS,
  });
  if (outcome.code === 0) return outcome.stdout;
  const said = outcome.stderr || outcome.stdout || (outcome.timedOut ? 'it took too long' : 'it said nothing');
  throw new UnderstudyError('WORKSPACE_GIT_FAILED', `git ${args[0]} failed in ${folder}: ${said}`, {
    fix: `Run git ${args.join(' ')} there by hand to see more.`,
  });
}

export interface RepositoryOptions extends GitOptions {
  branch?: string;
  /** The message of the first commit. */
  message?: string;
}

/** Makes a repository of a folder, with one commit of all that is in it. Gives back the commit's id. */
export async function initRepository(folder: string, options: RepositoryOptions = {}): Promise<string> {
  const { branch = 'main', message = 'chore: start the project', ...rest } = options;
  // An empty template folder: the machine's own could bring hooks.
  await git(folder, ['init', '--quiet', '--template=', `--initial-branch=${branch}`]);
  // Written into the repository too, because an agent's shell does not have our variables.
  const { name, email } = testIdentity;
  const settings = `[user]\n\tname = ${name}\n\temail = ${email}\n[commit]\n\tgpgsign = false\n[core]\n\tautocrlf = false\n`;
  appendFileSync(join(folder, '.git', 'config'), settings);
  return commitAll(folder, message, rest);
}

/** Commits everything that changed, also when nothing did, and gives back the commit's id. */
export async function commitAll(folder: string, message: string, options: GitOptions = {}): Promise<string> {
  await git(folder, ['add', '--all']);
  // A new project needs no housekeeping, and git would start itself once more to find that out.
  const commit = ['-c', 'maintenance.auto=false', 'commit', '--quiet', '--allow-empty', `--message=${message}`];
  await git(folder, commit, options);
  return readHead(new UntrustedFolder(folder)) ?? (await git(folder, ['rev-parse', 'HEAD'])).trim();
}

/** The commit that HEAD is at, read from git's own files: starting git for it would cost more. */
export function readHead(project: UntrustedFolder): string | undefined {
  const head = project.text('.git/HEAD')?.trim();
  const ref = /^ref: (refs\/.+)$/.exec(head ?? '')?.[1];
  const packed = () =>
    project
      .text('.git/packed-refs')
      ?.split('\n')
      .find((line) => line.endsWith(` ${ref}`))
      ?.split(' ')[0];
  const commit = ref === undefined ? head : (project.text(`.git/${ref}`)?.trim() ?? packed());
  // An agent writes these files: it goes to git as an argument.
  return commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
}

/**
 * What HEAD, the branches and the tags name, read from git's own files. What is stashed or fetched is no branch. Empty
 * where there is no repository, or no commit.
 */
export function readHeads(project: UntrustedFolder): string[] {
  const heads = new Set([readHead(project) ?? []].flat());
  const loose = ['.git/refs/heads', '.git/refs/tags'].flatMap((folder) => namesBelow(project, folder));
  for (const path of loose) heads.add(project.text(path)?.trim() ?? '');
  const packed = project.text('.git/packed-refs') ?? '';
  for (const [, id = '', name = ''] of packed.matchAll(/^([0-9a-f]{40,64}) (refs\/(?:heads|tags)\/.+)$/gm)) {
    // One that has a file of its own has moved since.
    if (!loose.includes(`.git/${name}`)) heads.add(id);
  }
  return [...heads].filter((id) => /^[0-9a-f]{40,64}$/.test(id));
}

/** The paths of the files below a folder. */
function namesBelow(project: UntrustedFolder, folder: string): string[] {
  return project.list(folder).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? namesBelow(project, path) : [path];
  });
}

/** One commit, as checks need it. */
export interface Commit {
  id: string;
  subject: string;
  body: string;
  files: string[];
}

/** The commits of a repository, newest first; empty before the first one. */
export async function listCommits(folder: string, limit = 100): Promise<Commit[]> {
  const heads = await git(folder, ['for-each-ref', '--count=1']);
  if (heads.trim() === '') return [];
  const format = '--format=%x01%H%x02%s%x02%b%x02';
  const log = await git(folder, ['log', `--max-count=${limit}`, '-m', '--first-parent', '--name-only', '-z', format]);
  return log
    .split('\x01')
    .slice(1)
    .map((entry) => {
      const [id = '', subject = '', body = '', names = ''] = entry.split('\x02');
      const files = names.split('\0').map((name) => name.replace(/^\n+/, ''));
      return { id, subject, body: body.trim(), files: files.filter((name) => name !== '') };
    });
}
