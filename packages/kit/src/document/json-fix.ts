import { parse } from 'smol-toml';

/** A sentence whose pieces of TOML (`name = "value"`, in backticks) are written in JSON. */
export function inJson(sentence: string): string {
  return sentence.replace(/`([^`]+)`/g, (whole, code: string) => {
    const json = codeInJson(code);
    return json === undefined ? whole : `\`${json}\``;
  });
}

function codeInJson(code: string): string | undefined {
  const table = /^\[\[(\w+)\]\]$/.exec(code)?.[1];
  if (table !== undefined) return `"${table}": [{ … }]`;
  if (code.startsWith('{')) {
    const inline = parsed(`it = ${code}`);
    return inline === undefined ? undefined : written(inline['it']);
  }
  if (!/^[\w"$.-]+ = /.test(code)) return undefined;
  // An ellipsis stands for what only the author knows.
  const [name = '', value = ''] = code.split(/ = (.*)/s);
  if (/^(?:…|\[…\]|\{ … \})$/.test(value)) return `"${name.replaceAll('"', '')}": ${value}`;
  const document = parsed(code);
  return document === undefined ? undefined : written(document).slice(2, -2);
}

function parsed(toml: string): Record<string, unknown> | undefined {
  try {
    return parse(toml);
  } catch {
    return undefined;
  }
}

function written(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
}
