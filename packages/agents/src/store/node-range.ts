type Version = readonly [number, number, number];

const COMPARATOR = /^(>=|<=|>|<|=|\^|~)?v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:[-+].*)?$/;

/**
 * Whether a version of Node is in the range that a package's `engines` has: alternatives with `||`, comparators, `^`,
 * `~`, `20.x` and `18 - 22`. A range that cannot be read keeps nobody away.
 */
export function nodeSatisfies(version: string, range: string): boolean {
  const found = numbers(version);
  const alternatives = range.split('||').map((text) => comparators(text));
  if (alternatives.some((list) => list === undefined)) return true;
  return alternatives.some((list) => list?.every((isMet) => isMet(found)));
}

/** Nothing for a text that has something else than comparators. */
function comparators(text: string): ((version: Version) => boolean)[] | undefined {
  const words = text
    .replace(/(\S+)\s+-\s+(\S+)/g, '>=$1 <=$2')
    .replace(/(>=|<=|>|<|=|\^|~)\s+/g, '$1')
    .split(/\s+/)
    .filter((word) => word !== '');
  const list = words.map(comparator);
  return list.every((one) => one !== undefined) ? list : undefined;
}

function comparator(word: string): ((version: Version) => boolean) | undefined {
  const match = COMPARATOR.exec(word);
  if (match === null) return undefined;
  const [, operator = '=', ...parts] = match;
  const given = parts.map((part) => (part === undefined || /[xX*]/.test(part) ? undefined : Number(part)));
  const [major, minor, patch] = given;
  if (major === undefined) return () => true;
  const low: Version = [major, minor ?? 0, patch ?? 0];
  // The first version that is no longer meant: by `^` and `~`, and by parts that are left open.
  const open: Version =
    minor === undefined || operator === '^'
      ? [major + 1, 0, 0]
      : patch === undefined || operator === '~'
        ? [major, minor + 1, 0]
        : [major, minor, patch + 1];
  switch (operator) {
    case '>=':
      return (version) => order(version, low) >= 0;
    case '>':
      return (version) => order(version, open) >= 0;
    case '<':
      return (version) => order(version, low) < 0;
    case '<=':
      return (version) => order(version, open) < 0;
    default:
      return (version) => order(version, low) >= 0 && order(version, open) < 0;
  }
}

function order(left: Version, right: Version): number {
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}

function numbers(version: string): Version {
  const [major = 0, minor = 0, patch = 0] = version.replace(/^v/, '').split(/[.+-]/).map(Number);
  return [major, minor, patch];
}
