import { cut, cutLines, paint } from '@understudy/kit';
import { diffLines } from 'diff';

/** Longer texts are shown one below the other: to compare them takes too long. */
const LONGEST_COMPARED = 20_000;
const SHOWN_LINES = 40;

/** Expected against seen: green is what was wanted, red what came instead. Texts of several lines are compared by line. */
export function describeDifference(expected: string, seen: string, width: number): string[] {
  const isLong = expected.length + seen.length > LONGEST_COMPARED;
  if (isLong || !expected.includes('\n') || !seen.includes('\n')) {
    return [...labeled('expected  ', expected, paint.green, width), ...labeled('seen      ', seen, paint.red, width)];
  }
  const lines = diffLines(expected, seen).flatMap(({ value, added, removed }) => {
    const [mark, color] = added ? ['+', paint.red] : removed ? ['-', paint.green] : [' ', paint.dim];
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => color(`${mark} ${cut(line, width)}`));
  });
  const rest = lines.length - SHOWN_LINES;
  return [
    `${paint.green('- expected')}  ${paint.red('+ seen')}`,
    ...lines.slice(0, SHOWN_LINES),
    ...(rest > 0 ? [`… [${rest} more lines]`] : []),
  ];
}

function labeled(label: string, text: string, color: (text: string) => string, width: number): string[] {
  const [first = '', ...others] = cutLines(text, SHOWN_LINES, width);
  return [`${label}${color(first)}`, ...others.map((line) => `${' '.repeat(label.length)}${color(line)}`)];
}
