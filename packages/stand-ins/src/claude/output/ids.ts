let random: () => number = Math.random;

/** From now on ids depend on this text alone, so that two runs of a scenario are the same to the byte. */
export function seedIds(text: string): void {
  let state = 0x811c9dc5;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A random UUID. `node:crypto` would take longer to load than the rest of a short run, and nothing
 * here has to be unguessable.
 */
export function uuid(): string {
  const hex = randomHex(32);
  const variant = '89ab'[Math.floor(random() * 4)];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

/** An id in the style of the API, such as `msg_01…` and `toolu_01…`. */
export function apiId(prefix: 'msg' | 'toolu' | 'req'): string {
  return `${prefix}_01${randomHex(22)}`;
}

export function randomHex(length: number): string {
  let text = '';
  while (text.length < length) {
    text += Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  }
  return text.slice(0, length);
}
