import { execFileSync } from 'node:child_process';

/** A repository; its commit is the same each time. */
export function makeRepository(cwd: string, kind: true | 'with a commit'): void {
  const date = '2026-01-01T00:00:00Z';
  const person = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const git = (...args: string[]) => execFileSync('git', [...person, ...args], { cwd, env, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  if (kind === true) return;
  git('commit', '-q', '--allow-empty', '-m', 'first');
  git('checkout', '-q', '-b', 'topic');
}
