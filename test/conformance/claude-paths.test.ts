import { describe, expect, it, vi } from 'vitest';
import { decide } from '../../packages/agents/src/claude/facts/permissions/decide.js';
import { deniedFile } from '../../packages/agents/src/claude/facts/permissions/denied.js';
import { noRules, parseRule } from '../../packages/agents/src/claude/facts/permissions/rules.js';
import { tool } from '../../packages/suites/src/drift/case.js';
import { realAgent } from '../helpers/real-agents.js';
import { LONG, sample, seedOr } from '../helpers/seeded.js';
import { askClaude } from './claude-answers.js';
import { RECORDING, RecordedAnswers } from './recordings.js';

const SEED = seedOr(9);

const PATHS = [
  ...['a.txt', 'README.md', 'x.txt', 'sub/x.txt', 'sub/deep/x.txt', 'sub/deep/y.ts', 'src/index.ts', 'src/a/b/c.ts'],
  ...['docs/a.md', 'docs/A.MD', 'sub/docs/b.md', 'sub/src/z.ts', '.hidden/z.txt', '.env', 'sub/.env', 'srcx/a.ts'],
  ...['a b.txt', '[x].txt', '{a,b}.txt'],
];

/** What people write into rules about files: each is asked about as one that allows, denies and asks. */
const GLOBS = [
  ...['docs/**', 'docs/*', 'docs/', 'docs', '/docs/**', './docs/**', './docs', '**/docs/**', '**/docs', 'DOCS/**'],
  ...['**/*.md', '*.md', './*.md', '*.ts', 'src/**/*.ts', 'src/*.ts', 'src/*', 'src/**', '**/src', 'src/**/', '/sub'],
  ...['**', '/**', './**', '.env', '**/.env', '.*', '*.{ts,md}', '{src,docs}/**', '[a-r]*.txt', '[!a]*.txt', '[^s]*'],
  ...['?.txt', 's?b/**', 'su*', 'su*/x.txt', 'sub/*/y.ts', 'sub/**/y.ts', 'sub/**/*', '!a.txt', 'a b.txt', 'a*'],
  ...[
    '**/deep/*',
    'sub/deep/',
    'x.txt',
    './x.txt',
    '*/x.txt',
    '/*.txt',
    '/a.txt',
    'deep',
    'docs/a.md',
    'src//index.ts',
  ],
  ...['src/./index.ts', '../work/**', '~/work/**', '~/**', '//**', '\\[x\\].txt', '$HOME/**', 'a.txt,README.md', '#a'],
];

/** Files that may need approval where edits are accepted. */
const NAMES = [
  ...[
    '.git/config',
    '.git',
    '.GIT/config',
    'sub/.git/config',
    '.gitx/config',
    'x.git/config',
    '.github/workflows/x.yml',
  ],
  ...['.claude/settings.json', '.claude/settings.local.json', '.claude/settings.yaml', '.claude/commands/a/b.md'],
  ...['.claude/agents/a.txt', '.claude/skills/a/SKILL.md', '.claude/hooks/x.sh', '.claude/rules/a.md', '.claude/x'],
  ...['.claude/worktrees/a/b.txt', '.claude/plans/a.md', '.claude/CLAUDE.md', 'sub/.claude/settings.json', 'CLAUDE.md'],
  ...[
    '.claude/agent-memory/a.md',
    '.claude/agent-memory-local/a.md',
    '.claude/launch.json',
    '.claude.json',
    '.mcp.json',
  ],
  ...[
    '.vscode/settings.json',
    '.idea/x.xml',
    '.husky/pre-commit',
    '.cargo/config',
    '.cargo/bin/x',
    '.yarn/x',
    '.mvn/x',
  ],
  ...['.devcontainer/Dockerfile', '.devcontainer.json', '.config/git/config', '.config/x', '.githooks/pre-commit'],
  ...[
    '.bashrc',
    'sub/.bashrc',
    '.BASHRC',
    '.bash_profile',
    '.bash_login',
    '.bash_logout',
    '.bash_aliases',
    '.bash_history',
  ],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.profile', '.kshrc', '.cshrc', '.inputrc', '.vimrc'],
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.yarnrc.yaml', '.pnp.cjs', '.pnp.js', '.pnp.loader.mjs', '.pnpmfile.cjs'],
  ...['bunfig.toml', '.bunfig.toml', 'package.json', 'Makefile', 'Dockerfile', 'tsconfig.json', 'pyproject.toml'],
  ...['.pre-commit-config.yaml', '.pre-commit-config.yml', 'lefthook.yml', 'lefthook.yaml', 'lefthook.toml'],
  ...['.lefthook.yml', '.lefthook.yaml', '.bazelrc', '.bazelversion', 'pyrightconfig.json', '.ripgreprc', '.gitconfig'],
  ...[
    '.gitmodules',
    '.gitignore',
    '.gitattributes',
    '.env',
    '.envrc',
    '.netrc',
    '.ssh/config',
    '.editorconfig',
    'x.sh',
  ],
];

type Answers = Record<string, string[]>;

/** By question, the paths that the rule covers on the real CLI, or that need approval there. */
const recordings = new RecordedAnswers<Answers>('paths');
const recorded = recordings.said;

const LISTS = ['allow', 'ask', 'deny'] as const;
const SENSITIVE = 'sensitive';
const QUESTIONS = [...LISTS.flatMap((list) => GLOBS.map((glob) => `${list} ${glob}`)), SENSITIVE];

/** The list of rules, and the rule, that a question is about. */
function ruleOf(question: string): { list?: (typeof LISTS)[number]; rule: string } {
  const list = LISTS.find((one) => question.startsWith(`${one} `));
  if (list === undefined) return { rule: '' };
  return { list, rule: `${list === 'deny' ? 'Read' : 'Edit'}(${question.slice(list.length + 1)})` };
}

function ask(question: string): string[] {
  const { list, rule } = ruleOf(question);
  const rules = noRules();
  const parsed = parseRule(rule, 'userSettings', '/ROOT/home/.claude');
  if (list !== undefined && parsed !== undefined) rules[list].push(parsed);
  const mode = list === 'allow' || list === 'deny' ? 'default' : 'acceptEdits';
  const context = { mode, rules, cwd: '/ROOT/work', directories: ['/ROOT/work'] } as const;
  if (list === 'deny')
    return PATHS.filter((path) => deniedFile('Read', { file_path: path }, context) !== undefined).sort();
  const needsApproval = (path: string) => decide('Write', { file_path: path }, context).behavior === 'ask';
  if (list === 'allow') return PATHS.filter((path) => !needsApproval(path)).sort();
  return (list === 'ask' ? PATHS : NAMES).filter(needsApproval).sort();
}

async function askReal(command: readonly string[], question: string): Promise<string[]> {
  const { list, rule } = ruleOf(question);
  const paths = list === undefined ? NAMES : PATHS;
  const settings = list === undefined ? {} : { permissions: { [list]: [rule] } };
  const use = (path: string) =>
    list === 'deny' ? tool('Read', { file_path: path }) : tool('Write', { file_path: path, content: 'new\n' });
  const answers = await askClaude(command, {
    name: question,
    args: list === 'allow' || list === 'deny' ? [] : ['--permission-mode', 'acceptEdits'],
    files: { 'HOME/.claude/settings.json': settings },
    uses: paths.map(use),
  });
  const isCovered = (text: string) => {
    if (list === 'deny') return text.includes('is denied by your permission settings');
    const isAsked = text.startsWith('Claude requested permissions');
    if (!isAsked) expect(text).toContain('File created');
    return list === 'allow' ? !isAsked : isAsked;
  };
  return paths.filter((_, at) => isCovered(answers[at]?.text ?? '')).sort();
}

describe('which files a rule covers, and which need approval', () => {
  it.skipIf(RECORDING)('is decided as the real Claude Code does', () => {
    vi.stubEnv('HOME', '/ROOT/home');
    expect(Object.keys(recorded).sort()).toEqual([...QUESTIONS].sort());
    const wrong = QUESTIONS.filter((question) => ask(question).join() !== recorded[question]?.join());
    const shown = (of: (question: string) => string[] | undefined) => wrong.map((question) => [question, of(question)]);
    expect(shown(ask)).toEqual(shown((question) => recorded[question]));
  });

  const some = LONG || RECORDING ? QUESTIONS : sample(QUESTIONS, 1, SEED);
  it(`the real one still says so (${some.length} by seed ${SEED})`, { timeout: 1_800_000 }, async (context) => {
    const { command } = await realAgent('claude', context);
    const said: Answers = {};
    for (const question of some) said[question] = await askReal(command, question);
    if (RECORDING) recordings.save(said);
    else expect(said).toEqual(Object.fromEntries(some.map((question) => [question, recorded[question]])));
  });
});
