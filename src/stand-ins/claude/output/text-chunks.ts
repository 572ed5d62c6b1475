/** About as much as a model sends at a time. */
const CHUNK = 24;

/** Cuts a text where a stream would: after a space, about every two dozen characters, never inside a character. */
export function textChunks(text: string): string[] {
  const chunks: string[] = [];
  let chunk = '';
  for (const character of text) {
    chunk += character;
    if (chunk.length >= CHUNK && (character === ' ' || character === '\n' || chunk.length >= 2 * CHUNK)) {
      chunks.push(chunk);
      chunk = '';
    }
  }
  if (chunk !== '' || chunks.length === 0) chunks.push(chunk);
  return chunks;
}
