const UNITS = { d: 86400, h: 3600, m: 60, s: 1 };

/** Gives the seconds of a text such as "1h30m"; throws when it is none. */
export function parse(text) {
  if (!/^(\d+[dhms])+$/.test(text)) throw new RangeError('not a duration: ' + JSON.stringify(text));
  let seconds = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)([dhms])/g)) seconds += Number(count) * UNITS[unit];
  return seconds;
}

/** Gives the shortest text for a number of seconds. */
export function format(seconds) {
  if (!Number.isInteger(seconds) || seconds < 0) throw new RangeError('a duration is a whole number of seconds');
  let rest = seconds;
  let text = '';
  for (const [unit, size] of Object.entries(UNITS)) {
    const count = Math.floor(rest / size);
    rest %= size;
    if (count > 0) text += count + unit;
  }
  return text || '0s';
}
