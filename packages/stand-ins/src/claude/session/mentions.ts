/** A file that a prompt names, perhaps with the lines that are meant. */
export interface Mention {
  file: string;
  first?: number;
  last?: number;
}

/** The names of files in a prompt: `@a.txt`, `@"a b.txt"`, `@a.txt#L2-3`. A mark behind a name does not belong to it. */
export function mentionedFiles(prompt: string): Mention[] {
  return [...prompt.matchAll(/(?<=^|\s)@(?:"([^"]+)"|(\S*[\w/~]))/g)].map(([, quoted, bare = '']) => {
    const [, file = '', first, last] = /^(.*?)(?:#L(\d+)(?:-L?(\d+))?)?$/s.exec(quoted ?? bare) ?? [];
    if (first === undefined) return { file };
    return { file, first: Number(first), ...(last === undefined ? {} : { last: Number(last) }) };
  });
}
