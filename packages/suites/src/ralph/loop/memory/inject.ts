import { type Memory, memoryTypes } from './memory.js';
import { formatMemories } from './memory-file.js';

const CHARACTERS_PER_TOKEN = 4;

/**
 * The memory block of a prompt, at most `budget` tokens long (0 is no limit). It is cut between
 * entries, and says so. Without memories there is no block.
 */
export function memoryBlock(memories: readonly Memory[], budget: number): string {
  if (memories.length === 0) return '';
  const ordered = memoryTypes.flatMap((type) => memories.filter((memory) => memory.type === type));
  const whole = formatMemories(ordered);
  const room = budget * CHARACTERS_PER_TOKEN;
  if (budget === 0 || whole.length <= room) return whole;
  const kept = largest(ordered.length, (count) => formatMemories(ordered.slice(0, count)).length <= room);
  const left = ordered.length - kept;
  const notice = `<!-- truncated: ${left} of ${ordered.length} memories left out, budget ${budget} tokens -->\n`;
  return kept === 0 ? `# Memories\n\n${notice}` : `${formatMemories(ordered.slice(0, kept))}\n${notice}`;
}

/** The largest count up to `most` that fits, where fewer always fit better. */
function largest(most: number, fits: (count: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
