import type { Block } from '@understudy/script';

/** About what a model sends in one event. */
const PIECE = 48;

/** Cuts a text at word boundaries into what a stream sends one by one. A character is never split. */
export function piecesOf(text: string): string[] {
  if (text.length <= PIECE) return text === '' ? [] : [text];
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + PIECE, text.length);
    if (end < text.length) {
      const space = text.lastIndexOf(' ', end);
      if (space > start) end = space + 1;
      else if (isHighSurrogate(text.charCodeAt(end - 1))) end++;
    }
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/** What a stream sends of a block: as the script cuts it, or as a model would. */
export function streamed({ text, pieces }: { text: string; pieces?: readonly string[] }): readonly string[] {
  return pieces ?? piecesOf(text);
}

/** The same of any block of an answer. */
export function piecesOfBlock(block: Block): readonly string[] {
  return block.type === 'tool_use' ? piecesOf(JSON.stringify(block.input)) : streamed(block);
}

/** A rough count, the same everywhere: four characters are a token. */
export function estimateTokens(length: number): number {
  return Math.ceil(length / 4);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
