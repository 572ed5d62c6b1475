import { editDistance } from '../../../document/nearest.js';
import { HIDDEN_FLAGS, IGNORED_FLAGS, REFUSED_FLAGS, SUPPORTED_FLAGS } from './flags.js';

/** A flag is suggested for another one that differs in at most this many letters. */
const MAX_DISTANCE = 3;
const MIN_SIMILARITY = 0.4;

/** The line that the real CLI adds for an unknown flag when others look like it; empty when none does. */
export function suggestFlag(unknown: string): string {
  if (!unknown.startsWith('--')) return '';
  const names = [...SUPPORTED_FLAGS, ...IGNORED_FLAGS].flatMap((flag) =>
    flag.names.filter((name) => name.startsWith('--')),
  );
  const word = unknown.slice(2);
  let best = MAX_DISTANCE;
  let similar: string[] = [];
  for (const name of [...names, ...REFUSED_FLAGS]) {
    if (HIDDEN_FLAGS.has(name) || !name.startsWith('--')) continue;
    const candidate = name.slice(2);
    if (Math.abs(word.length - candidate.length) > MAX_DISTANCE) continue;
    const distance = editDistance(word, candidate);
    const length = Math.max(word.length, candidate.length);
    if ((length - distance) / length <= MIN_SIMILARITY || distance > best) continue;
    if (distance < best) similar = [];
    best = distance;
    similar.push(name);
  }
  similar.sort((a, b) => a.localeCompare(b));
  if (similar.length > 1) return `\n(Did you mean one of ${similar.join(', ')}?)`;
  return similar.length === 1 ? `\n(Did you mean ${similar[0]}?)` : '';
}
