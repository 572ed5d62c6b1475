/** Orders versions as Semantic Versioning does: by their numbers; a pre-release comes before its release. */
export function compareVersions(left: string, right: string): number {
  const [leftNumbers, leftTags] = split(left);
  const [rightNumbers, rightTags] = split(right);
  for (let index = 0; index < Math.max(leftNumbers.length, rightNumbers.length); index++) {
    const difference = (leftNumbers[index] ?? 0) - (rightNumbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (leftTags.length === 0 || rightTags.length === 0) return rightTags.length - leftTags.length;
  for (const [index, tag] of leftTags.entries()) {
    const difference = compareTags(tag, rightTags[index]);
    if (difference !== 0) return difference;
  }
  return leftTags.length - rightTags.length;
}

/** Numbers by their size, and before words: `alpha.2`, `alpha.10`, `alpha.beta`. One more comes after none. */
function compareTags(left: string, right: string | undefined): number {
  if (left === right) return 0;
  if (right === undefined) return 1;
  const [leftIsNumber, rightIsNumber] = [isNumber(left), isNumber(right)];
  if (leftIsNumber && rightIsNumber) return Number(left) - Number(right);
  if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
  return left < right ? -1 : 1;
}

function isNumber(tag: string): boolean {
  return /^\d+$/.test(tag);
}

/** What stands behind a `+` says nothing about the order. */
function split(version: string): [number[], string[]] {
  const [numbers = '', ...tag] = (version.split('+')[0] ?? '').split('-');
  const tags = tag.join('-');
  return [numbers.split('.').map((part) => Number.parseInt(part, 10) || 0), tags === '' ? [] : tags.split('.')];
}
