import { diffLines } from 'diff';
import { visible } from '../../packages/kit/src/terminal/visible.js';

const CONTEXT = 3;
const LONGEST = 100_000;

interface DiffLine {
  mark: '+' | '-' | ' ';
  text: string;
}

function linesOf(before: string, after: string): DiffLine[] {
  const tooLong = before.length + after.length > LONGEST;
  const parts = tooLong
    ? [
        { value: before, removed: true, added: false },
        { value: after, removed: false, added: true },
      ]
    : diffLines(before, after);
  return parts.flatMap(({ value, added, removed }) => {
    if (value === '') return [];
    const mark = added ? '+' : removed ? '-' : ' ';
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text): DiffLine => ({ mark, text }));
  });
}

/** Only what changed, and a few lines around it. */
function shorten(lines: readonly DiffLine[]): (DiffLine | number)[] {
  const near = new Set<number>();
  lines.forEach(({ mark }, index) => {
    if (mark === ' ') return;
    for (let place = index - CONTEXT; place <= index + CONTEXT; place++) near.add(place);
  });
  const shown: (DiffLine | number)[] = [];
  lines.forEach((line, index) => {
    const last = shown.at(-1);
    if (near.has(index)) shown.push(line);
    else if (typeof last === 'number') shown[shown.length - 1] = last + 1;
    else shown.push(1);
  });
  return shown;
}

/** Two texts, compared by line. For a check, `before` is what was expected and green. */
export function Diff(props: { before: string; after: string; label: string; check?: boolean }) {
  const { before, after, label, check = false } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: it is a text, and no set of fields.
    <pre class={check ? 'diff of-check' : 'diff'} role="group" tabIndex={0} aria-label={label}>
      {shorten(linesOf(before, after)).map((line) =>
        typeof line === 'number' ? (
          <span class="skipped">
            … {line} equal lines{'\n'}
          </span>
        ) : (
          <span class={line.mark === '+' ? 'added' : line.mark === '-' ? 'removed' : 'same'}>
            {line.mark} {visible(line.text)}
            {'\n'}
          </span>
        ),
      )}
    </pre>
  );
}
