import { Unsupported } from '../refusal.js';

/** Words that stand before a command and are none. */
const OPENERS = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', '{', '(', 'time']);
const CLOSERS = new Set(['fi', 'done', '}', ')']);

/** The commands of a line, one by one, as OpenCode asks for them: with those in `$(…)`, without `cd`. */
export function commandsIn(line: string): string[] {
  const inner: string[] = [];
  const commands = split(line, inner).flatMap((part) => simpleCommand(part, line) ?? []);
  const all = [...commands, ...inner.flatMap(commandsIn)];
  return [...new Set(all.filter((command) => !/^cd(?:\s|$)/.test(command)))];
}

/** Cuts at what stands between commands; what is substituted goes to `inner`. */
function split(line: string, inner: string[]): string[] {
  const parts: string[] = [];
  let part = '';
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? '';
    const next = line[at + 1] ?? '';
    if (sign === '\\' && quote !== "'") part += sign + (line[++at] ?? '');
    else if (quote !== "'" && (sign === '`' || (sign === '$' && next === '('))) {
      const end = sign === '`' ? line.indexOf('`', at + 1) : closing(line, at + 1);
      if (end < 0 || line.startsWith('$((', at)) throw unknown(line);
      inner.push(line.slice(at + (sign === '`' ? 1 : 2), end));
      part += line.slice(at, end + 1);
      at = end;
    } else if (sign === quote) {
      quote = '';
      part += sign;
    } else if (quote !== '') part += sign;
    else if (sign === '"' || sign === "'") {
      quote = sign;
      part += sign;
    } else if (/[<>]/.test(sign) && (next === '(' || (sign === '<' && next === '<'))) throw unknown(line);
    else if (sign === '&' && (next === '>' || part.endsWith('>'))) part += sign;
    else if (/[;&|\n]/.test(sign)) {
      parts.push(part);
      part = '';
    } else if (sign === '#' && /(?:^|\s)$/.test(part)) {
      const end = line.indexOf('\n', at);
      at = end < 0 ? line.length : end - 1;
    } else if (/[()]/.test(sign)) {
      parts.push(part);
      if (sign === '(' && part.trim() !== '') throw unknown(line);
      part = '';
    } else part += sign;
  }
  return [...parts, part];
}

function simpleCommand(part: string, line: string): string | undefined {
  let command = part.trim();
  for (;;) {
    const [first = ''] = command.split(/\s+/, 1);
    if (first === 'for' || first === 'select') return undefined;
    if (first === 'case' || first === 'function' || first === '[[') throw unknown(line);
    if (CLOSERS.has(first)) {
      const rest = command.slice(first.length).trim();
      if (rest !== '') throw unknown(line);
      return undefined;
    }
    if (!OPENERS.has(first)) return command === '' ? undefined : command;
    command = command.slice(first.length).trim();
  }
}

function closing(line: string, open: number): number {
  let depth = 0;
  for (let at = open; at < line.length; at++) {
    if (line[at] === '(') depth++;
    if (line[at] === ')' && --depth === 0) return at;
  }
  return -1;
}

function unknown(line: string): Unsupported {
  return new Unsupported(`rules about commands (\`permission.bash\`) with this one: ${line}`);
}
