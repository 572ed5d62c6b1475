import { expect, it } from 'vitest';
import { compareVersions } from './compare-versions.js';

it('orders versions as Semantic Versioning does', () => {
  const inOrder = [
    '0.9.12',
    ...['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.2', '1.0.0-alpha.10', '1.0.0-alpha.beta', '1.0.0-beta.2'],
    ...['1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.0.1-0', '1.0.1', '1.10.0'],
  ];
  for (const [place, left] of inOrder.entries()) {
    for (const [other, right] of inOrder.entries()) {
      expect(Math.sign(compareVersions(left, right)), `${left} beside ${right}`).toBe(Math.sign(place - other));
    }
  }
});

it('takes builds of one version for the same', () => {
  expect(compareVersions('1.0.0+linux', '1.0.0+macos')).toBe(0);
  expect(compareVersions('1.2', '1.2.0')).toBe(0);
});
