import type { Part } from './parts.js';

export interface Minimised {
  parts: readonly Part[];
  differences: readonly string[];
}

/** Leaves out every part without which the first difference is still there. */
export async function minimise(
  parts: readonly Part[],
  differences: readonly string[],
  compare: (parts: readonly Part[]) => Promise<string[]>,
): Promise<Minimised> {
  const wanted = kindOf(differences[0] ?? '');
  let least: Minimised = { parts, differences };
  for (const part of parts) {
    const fewer = least.parts.filter((other) => other !== part);
    const left = await compare(fewer);
    if (left.some((difference) => kindOf(difference) === wanted)) least = { parts: fewer, differences: left };
  }
  return least;
}

/** What a difference is about, without its values. */
function kindOf(difference: string): string {
  return difference.replace(/"(?:[^"\\]|\\.)*"/g, '"…"').slice(0, 60);
}
