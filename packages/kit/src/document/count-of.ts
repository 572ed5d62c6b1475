/** `1 call`, `2 calls`: a number with its noun. */
export function countOf(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}
