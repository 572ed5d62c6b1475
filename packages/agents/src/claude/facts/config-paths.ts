import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the CLI keeps its things: CLAUDE_CONFIG_DIR, else `~/.claude`. */
export interface ConfigPaths {
  dir: string;
  userSettings: string;
  /** `.claude.json`, which holds the trust in projects and the user's MCP servers. */
  state: string;
  projects: string;
}

export function configPaths(env: NodeJS.ProcessEnv): ConfigPaths {
  const own = env['CLAUDE_CONFIG_DIR'];
  const home = env['HOME'] ?? homedir();
  const dir = own ?? join(home, '.claude');
  return {
    dir,
    userSettings: join(dir, 'settings.json'),
    state: own === undefined ? join(home, '.claude.json') : join(own, '.claude.json'),
    projects: join(dir, 'projects'),
  };
}

/** A longer name would not fit into a file name; a hash distinguishes the rest. */
const LONGEST_SLUG = 200;

/** A project's folder below `projects/`: its path, with all but letters and digits turned to dashes. */
export function projectSlug(cwd: string): string {
  const slug = cwd.replace(/[^a-zA-Z0-9]/g, '-');
  return slug.length <= LONGEST_SLUG ? slug : `${slug.slice(0, LONGEST_SLUG)}-${shortHash(cwd)}`;
}

function shortHash(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) | 0;
  return Math.abs(hash).toString(36);
}

export function transcriptPath(paths: ConfigPaths, projectDir: string, sessionId: string): string {
  return join(paths.projects, projectSlug(projectDir), `${sessionId}.jsonl`);
}

/** The temporary folder of a session. */
export function sessionTemp(env: NodeJS.ProcessEnv, cwd: string, sessionId: string): string {
  const temporary = env['CLAUDE_CODE_TMPDIR'] ?? tmpdir();
  return join(temporary, `claude-${process.getuid?.() ?? 0}`, projectSlug(cwd), sessionId);
}
