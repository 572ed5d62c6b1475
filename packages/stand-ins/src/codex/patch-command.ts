/** The patch in a shell command that does nothing but apply one, and the folder to apply it in. */
export function patchInCommand(command: string): { patch: string; folder: string } | undefined {
  const found = /^\s*(?:cd (\S+) && )?apply_?patch <<\s*(['"]?)(\w+)\2\n([\s\S]*?)\n?\3\s*$/.exec(command);
  return found === null ? undefined : { folder: found[1] ?? '.', patch: found[4] ?? '' };
}
