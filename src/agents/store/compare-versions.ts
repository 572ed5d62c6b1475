/** Orders versions by their numbers; a pre-release comes before its release. */
export function compareVersions(left: string, right: string): number {
  const [leftNumbers, leftTag] = split(left);
  const [rightNumbers, rightTag] = split(right);
  for (let index = 0; index < Math.max(leftNumbers.length, rightNumbers.length); index++) {
    const difference = (leftNumbers[index] ?? 0) - (rightNumbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (leftTag === rightTag) return 0;
  if (leftTag === '') return 1;
  if (rightTag === '') return -1;
  return leftTag < rightTag ? -1 : 1;
}

function split(version: string): [number[], string] {
  const [numbers = '', ...tag] = version.split('-');
  return [numbers.split('.').map((part) => Number.parseInt(part, 10) || 0), tag.join('-')];
}
