/** Signs in the order in which the CLI sorts names: that of a dictionary. */
const ORDER = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';
const WEIGHTS = new Map([...ORDER].map((sign, weight) => [sign, weight]));

/** In the order of a dictionary: capital letters among the others, and behind the same small one. */
export function byName(a: string, b: string): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  for (let at = 0; at < one.length && at < other.length; at++) {
    const difference = weightOf(one, at) - weightOf(other, at);
    if (difference !== 0) return difference;
  }
  return one.length - other.length || bySize(a, b);
}

function weightOf(text: string, at: number): number {
  return WEIGHTS.get(text[at] ?? '') ?? ORDER.length + text.charCodeAt(at);
}

function bySize(a: string, b: string): number {
  if (a === b) return 0;
  return a > b ? -1 : 1;
}
