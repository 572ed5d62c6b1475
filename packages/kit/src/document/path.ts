/** The path of a value in a document: keys and indexes from the root. */
export type Path = readonly (string | number)[];

/** `responses[2].turns[0].expect`; keys with other characters are quoted. */
export function formatPath(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[\w$-]+$/.test(part)) text += text === '' ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}
