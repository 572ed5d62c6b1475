import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, join, resolve, win32 } from 'node:path';
import { UnderstudyError } from '@understudy/kit';

function refuse(path: string, why: string): never {
  throw new UnderstudyError('WORKSPACE_PATH_REFUSED', `${JSON.stringify(path)} ${why}`, {
    fix: 'Give a plain path below the workspace, such as "src/main.py".',
  });
}

function isLink(path: string, asked: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch (error) {
    // Below a file, too long, not ours to see: whatever it is, nothing can be written there.
    return refuse(asked, `cannot be looked at (${(error as NodeJS.ErrnoException).code})`);
  }
}

/**
 * The absolute path of `path` below `root`, or an error: nothing absolute, no "..", nothing inside
 * .git, and no link on the way, because a link could lead out now or after the check. With
 * `linkAtEnd` the path itself may be a link, for those who handle the link and not its target.
 */
export function containedPath(root: string, path: string, { linkAtEnd = false } = {}): string {
  if (path === '' || path.includes('\0')) refuse(path, 'is not a path');
  if (isAbsolute(path) || win32.isAbsolute(path) || /^[A-Za-z]:/.test(path)) refuse(path, 'is absolute');
  if (path.includes('\\')) refuse(path, 'holds a backslash');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length === 0) refuse(path, 'names the workspace itself');
  if (parts.includes('..')) refuse(path, 'leads out of the workspace');
  if (parts.some((part) => part.toLowerCase() === '.git')) refuse(path, 'is inside .git');
  let current = realpathSync(resolve(root));
  for (const [index, part] of parts.entries()) {
    current = join(current, part);
    const atEnd = index === parts.length - 1;
    if (!(linkAtEnd && atEnd) && isLink(current, path)) refuse(path, 'goes through a link');
  }
  return current;
}
