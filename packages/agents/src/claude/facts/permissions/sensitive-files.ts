import { relative } from 'node:path';
import { type Decision, notGranted } from './decision.js';

/** Folders whose files decide what programs run, wherever they are. */
const FOLDERS = new Set(['.git', '.vscode', '.idea', '.husky', '.cargo', '.devcontainer', '.yarn', '.mvn']);

/** Files that shells, package managers and the CLI itself read commands from. */
const FILES = new Set([
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.envrc'],
  ...['.zshrc', '.zprofile', '.zlogin', '.zlogout', '.zshenv', '.gitconfig', '.gitmodules', '.ripgreprc'],
  ...[
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pnp.cjs',
    '.pnp.loader.mjs',
    '.pnpmfile.cjs',
    'bunfig.toml',
    '.bunfig.toml',
  ],
  ...['.pre-commit-config.yaml', 'lefthook.yml', 'lefthook.yaml', '.lefthook.yml', '.lefthook.yaml'],
  ...['.bazelrc', '.bazelversion', 'pyrightconfig.json', '.devcontainer.json', '.mcp.json', '.claude.json'],
]);

const SETTINGS = new Set(['settings.json', 'settings.local.json']);
/** Folders of `.claude` that are asked about in the usual words. */
const PARTS = new Set(['commands', 'agents', 'skills']);
/** What the CLI lets an agent write in the `.claude` of its project. */
const OWN = /^\.claude\/(?:agent-memory(?:-local)?\/.|launch\.json$)/i;

/** Why a change of a file needs approval in every mode but one, whatever rules allow. */
export function safetyCheck(path: string): Decision | undefined {
  const segments = path.toLowerCase().split('/');
  // On some systems, what follows a colon is a stream of the same file.
  const names = segments.map((segment) => segment.split(':')[0] ?? '');
  const at = names.lastIndexOf('.claude');
  if (at !== -1) {
    const [part = '', ...below] = names.slice(at + 1);
    if (below.length === 0 && SETTINGS.has(part)) return check(notGranted(`write to ${path}`));
    if (below.length > 0 && PARTS.has(part)) return check(notGranted(`write to ${path}`));
    if (part !== 'worktrees' && !(below.length === 0 && part === 'launch.json')) return sensitive(path);
  }
  const isSensitive =
    names.some((name) => FOLDERS.has(name)) ||
    FILES.has(names.at(-1) ?? '') ||
    names.some((name, index) => name === '.config' && names[index + 1] === 'git');
  return isSensitive ? sensitive(path) : undefined;
}

/** Files that the CLI keeps for itself, and that need no approval. */
export function isOwnFile(path: string, project: string): boolean {
  return OWN.test(relative(project, path));
}

function sensitive(path: string): Decision {
  return { ...check(`Claude requested permissions to edit ${path} which is a sensitive file.`), path };
}

function check(message: string): Decision {
  return {
    behavior: 'ask',
    reasonType: 'safetyCheck',
    reason: message,
    message,
  };
}
