import { redactor, secretValues } from '@understudy/kit';

const HIDDEN = '[secret]';

/** A value behind a name that says that it is secret: `api_key = "…"`, `"password": "…"`, `--token …`. */
const NAMED =
  /((?:api[_-]?key|access[_-]?key|secret|token|passw(?:or)?d|passphrase|credential|private[_-]?key|authorization)[\w-]{0,40}\\*["']?\s{0,4}(?:[:=]|\s)\s{0,4}\\*["']?)([A-Za-z0-9+/_.~=-]{12,4096})/gi;
/** A password in an address. */
const IN_ADDRESS = /(?<=:\/\/[^\s/:@"]{1,256}:)[^\s/@"]{3,1024}(?=@)/g;

/** Bits per character from which a text looks random. English words have less. */
const RANDOM = 3.3;

/** Takes secrets out of what is recorded: keys by their form, by the environment, by the names before them. */
export function secretRemover(environment: NodeJS.ProcessEnv): (text: string) => string {
  return redactor(environment, withoutNamed);
}

function withoutNamed(text: string): string {
  return text
    .replace(IN_ADDRESS, HIDDEN)
    .replace(NAMED, (whole, name: string, value: string) => (looksRandom(value) ? `${name}${HIDDEN}` : whole));
}

/** A key has digits and letters, in no order that one could guess. */
function looksRandom(text: string): boolean {
  if (text.length < 16 && !(text.length >= 12 && /[^A-Za-z0-9]/.test(text))) return false;
  if (!/\d/.test(text) || !/[A-Za-z]/.test(text)) return false;
  return entropy(text) >= RANDOM;
}

function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Finds what must not be written: the last look at a line. It gives the first letters of what it found. */
export function secretFinder(environment: NodeJS.ProcessEnv): (texts: readonly string[]) => string | undefined {
  const remove = redactor(environment);
  const values = secretValues(environment);
  return (texts) => {
    for (const text of texts) {
      const clean = remove(text);
      if (clean === text) continue;
      let at = 0;
      while (clean[at] === text[at]) at++;
      return begun(text.slice(at));
    }
    // A value may be spread over several texts, and only together they have it.
    const together = texts.join('');
    const spread = values.find((value) => together.includes(value));
    return spread === undefined ? undefined : begun(spread);
  };
}

function begun(secret: string): string {
  return `${secret.slice(0, 3)}…`;
}
