/** Shorter pieces of Base64 are in other texts, too. */
const SHORTEST = 6;
/** A longer value, such as a file of credentials, is looked for in the usual form of each encoding: a pattern would be too large. */
const LONGEST = 512;
const NAMED: Readonly<Record<string, string>> = { '"': 'quot', '&': 'amp', '<': 'lt', '>': 'gt', "'": 'apos' };
/** A line may end anywhere in what was encoded, and the next one may be indented; in JSON its end is `\n`. */
const LINE_END = String.raw`(?:(?:\r?\n|\\n)[ \t]{0,40})?`;

/**
 * How a value looks as it is, in an address, in HTML, in JSON, in hexadecimal, and within Base64. The value as it is comes
 * first: what is found then is whole.
 */
export function writingsOf(value: string): (RegExp | string)[] {
  const bytes = Buffer.from(value);
  if (value.length > LONGEST) {
    const inBase64 = withinBase64(bytes).flatMap((letters) => [
      letters,
      letters.replaceAll('+', '-').replaceAll('/', '_'),
    ]);
    return [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), bytes.toString('hex'), ...inBase64];
  }
  const hexadecimal = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  return [
    new RegExp([...value].map(character).join(''), 'g'),
    new RegExp(literal(JSON.stringify(value).slice(1, -1)), 'g'),
    new RegExp(hexadecimal.join(`(?:[ :-]|${LINE_END})`), 'gi'),
    ...withinBase64(bytes).map((letters) => new RegExp([...letters].map(base64Letter).join(LINE_END), 'g')),
  ];
}

/** A character, and what addresses and HTML make of it. */
function character(one: string): string {
  if (/[A-Za-z0-9]/.test(one)) return one;
  const percent = [...Buffer.from(one)].map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`).join('');
  const point = one.codePointAt(0) ?? 0;
  const entities = [
    `#0{0,4}${point}`,
    `#[xX]0{0,4}${anyCase(point.toString(16))}`,
    ...(one in NAMED ? [NAMED[one]] : []),
  ];
  return `(?:${literal(one)}|${percent}|&(?:${entities.join('|')});)`;
}

/** The letters of a value in Base64, by its place among three bytes; without the first and the last letter, which also hold bits of the neighbors. */
function withinBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const letters = padded.toString('base64').replace(/=+$/, '');
    const core = letters.slice(Math.ceil((offset * 8) / 6), padded.length % 3 === 0 ? undefined : -1);
    return core.length < SHORTEST ? [] : [core];
  });
}

function base64Letter(letter: string): string {
  return { '+': '[+-]', '/': '[/_]' }[letter] ?? letter;
}

function anyCase(hexadecimal: string): string {
  return hexadecimal.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
