import { useState } from 'preact/hooks';
import { visible, visibleOnOneLine } from '../../packages/kit/src/terminal/visible.js';

/** A text of an agent on one line; what cannot be seen is shown as its number. */
export function Line({ text }: { text: string }) {
  return <bdi>{visibleOnOneLine(text.replace(/\s+/g, ' ').trim())}</bdi>;
}

const SHOWN = 4_000;

/** A text of many lines. A long one is opened on demand. */
export function Block({ text, label }: { text: string; label: string }) {
  const [whole, setWhole] = useState(false);
  const shown = visible(whole ? text : text.slice(0, SHOWN));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: it is a text, and no set of fields.
    <pre role="group" tabIndex={0} aria-label={label}>
      <bdi>{shown}</bdi>
      {!whole && text.length > SHOWN ? (
        <button type="button" onClick={() => setWhole(true)}>
          show {text.length - SHOWN} more characters
        </button>
      ) : null}
    </pre>
  );
}

export function seconds(milliseconds: number): string {
  return milliseconds < 100 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** A command with a button that copies it. */
export function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(text);
    setCopied(true);
  };
  return (
    <p class="command">
      <code>
        <Line text={text} />
      </code>
      <button type="button" onClick={() => copy().catch(() => {})}>
        {copied ? 'copied' : 'copy'}
      </button>
    </p>
  );
}
