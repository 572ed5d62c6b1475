import { sep } from 'node:path';

/**
 * How the user started us, for commands that we suggest: `understudy` where it is on the PATH, else the way in which
 * npx finds it. `started` is the path of the program as it was called.
 */
export function ownCommand(started: string | undefined = process.argv[1]): string {
  const folders = (started ?? '').split(sep);
  // Another program may have loaded us as a library.
  const isOurs = /^(agent-)?understudy/.test(folders.at(-1) ?? '');
  if (!isOurs || !folders.includes('node_modules') || isGlobal(folders)) return 'understudy';
  // By the name of the package: where it is not installed, `npx understudy` would fetch a package of somebody else.
  return 'npx agent-understudy';
}

/** `/usr/lib/node_modules/…`: its program is on the PATH. */
function isGlobal(folders: readonly string[]): boolean {
  return folders[folders.indexOf('node_modules') - 1] === 'lib';
}
