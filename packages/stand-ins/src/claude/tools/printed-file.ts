import { splitWords } from '@understudy/agents';

const PRINTING = /^(?:cat|nl|head|tail|grep|sed)$/;
const HEAD_LINES = 10;

/** The file that a shell command prints to the model, and how many of its first lines. */
export interface PrintedFile {
  file: string;
  lines: number;
}

/** What a command prints, where it is one plain command about one file. */
export function printedFile(command: string): PrintedFile | undefined {
  if (/[|&;<>$`\n*?(){}]/.test(command)) return undefined;
  const [program = '', ...words] = splitWords(command);
  if (!PRINTING.test(program)) return undefined;
  const file = words.at(-1);
  const before = words.slice(0, -1);
  if (file === undefined || file.startsWith('-')) return undefined;
  switch (program) {
    case 'cat':
    case 'nl':
      return before.every((word) => word.startsWith('-')) ? { file, lines: Number.POSITIVE_INFINITY } : undefined;
    case 'head':
      return headOf(file, before.join(' '));
    case 'sed':
      return linesOf(file, before);
    case 'tail':
      return { file, lines: 0 };
    default:
      return before.filter((word) => !word.startsWith('-')).length === 1 ? { file, lines: 0 } : undefined;
  }
}

function headOf(file: string, options: string): PrintedFile | undefined {
  if (options === '') return { file, lines: HEAD_LINES };
  const [, lines] = /^-(?:n ?)?(\d+)$/.exec(options) ?? [];
  return lines === undefined ? undefined : { file, lines: Number(lines) };
}

function linesOf(file: string, [option, range = '', ...rest]: readonly string[]): PrintedFile | undefined {
  const [, from, to] = /^(\d+),(\d+|\$)p$/.exec(range) ?? [];
  if (option !== '-n' || from === undefined || rest.length > 0) return undefined;
  if (from !== '1') return { file, lines: 0 };
  return { file, lines: to === '$' ? Number.POSITIVE_INFINITY : Number(to) };
}
