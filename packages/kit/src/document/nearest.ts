/** The edit distance (Levenshtein) of two words. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The known word that is most similar to a misspelled one, if it is similar enough. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase().slice(0, 64);
  let best: { word: string; distance: number } | undefined;
  for (const candidate of known) {
    const near = candidate.toLowerCase();
    const distance = near.startsWith(wanted) && wanted.length > 2 ? 1 : editDistance(wanted, near);
    if (best === undefined || distance < best.distance) best = { word: candidate, distance };
  }
  return best !== undefined && best.distance <= Math.max(2, Math.ceil(wanted.length / 3)) ? best.word : undefined;
}
