import { NotSupported } from '../options.js';

/** What the shell does with a character: it is text, or a sign of the shell's own. */
interface Character {
  text: string;
  isPlain: boolean;
}

/** Words that begin what is no simple command. */
const KEYWORDS = new Set(['if', 'for', 'while', 'until', 'case', 'select', 'function', 'time', '!', '[[']);

/** Whether a line has `$(…)`, backquotes, `<(…)` or `>(…)`: Gemini CLI runs none of them. */
export function hasSubstitution(given: string): boolean {
  const line = withoutWrapper(given);
  let isSingle = false;
  let isDouble = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    const next = line[at + 1] ?? '';
    if (character === "'" && !isDouble) isSingle = !isSingle;
    else if (character === '"' && !isSingle) isDouble = !isDouble;
    else if (isSingle) continue;
    else if (character === '\\' && (!isDouble || '$`"\\\n'.includes(next))) at++;
    else if (character === '`' || (character === '$' && next === '(')) return true;
    else if (!isDouble && next === '(' && (character === '<' || character === '>')) return true;
  }
  return false;
}

/** The command of `sh -c '…'`, and any other line as it is. */
function withoutWrapper(line: string): string {
  const command = line.replace(/^\s*(?:\S+\/)?(?:sh|bash|zsh)\s+-c\s+/i, '').trim();
  return command.length < line.trim().length ? command.replace(/^(['"])(.*)\1$/s, '$2') : line;
}

/** Whether a line reads from a file or writes to one. */
export function hasRedirection(line: string): boolean {
  const signs = plainSigns(line);
  if (!/[<>]/.test(signs)) return false;
  if (/\(\(|\[\[/.test(signs)) throw new NotSupported(`--allowed-tools with this command: ${line}`);
  return true;
}

/** The commands of a line, one by one. */
export function commandsIn(line: string): string[] {
  const characters = read(line);
  const commands: string[] = [];
  let command = '';
  characters.forEach(({ text, isPlain }, index) => {
    const isJoined = characters[index - 1]?.text === '>' || characters[index + 1]?.text === '>';
    if (isPlain || !/[;&|\n]/.test(text) || (text === '&' && isJoined)) command += text;
    else {
      commands.push(command);
      command = '';
    }
  });
  const found = [...commands, command].map((one) => one.trim()).filter((one) => one !== '');
  const isComplex = /[(){}#`]/.test(plainSigns(line)) || found.some(isNotSimple);
  if (isComplex) throw new NotSupported(`--allowed-tools with this command: ${line}`);
  return found;
}

/** The words of a line without their quotes, as far as it is asked what a command does. */
export function wordsOf(line: string): string[] {
  return (line.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/s, '$2'));
}

function isNotSimple(command: string): boolean {
  const [first = '', second] = wordsOf(command);
  return KEYWORDS.has(first) || (/^(?:\S*\/)?(?:ba|z)?sh$/.test(first) && second === '-c');
}

/** What is neither quoted nor behind a backslash. */
function plainSigns(line: string): string {
  return read(line)
    .filter(({ isPlain }) => !isPlain)
    .map(({ text }) => text)
    .join('');
}

function read(line: string): Character[] {
  const characters: Character[] = [];
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const text = line[at] ?? '';
    if (text === '\\' && quote !== "'") characters.push({ text: text + (line[++at] ?? ''), isPlain: true });
    else if (text === quote || (quote === '' && (text === '"' || text === "'"))) {
      quote = quote === '' ? text : '';
      characters.push({ text, isPlain: true });
    } else characters.push({ text, isPlain: quote !== '' });
  }
  return characters;
}
