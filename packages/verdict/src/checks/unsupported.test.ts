import { expect, it } from 'vitest';
import { checkSupported } from './unsupported.js';

it('fails for what a stand-in refused', () => {
  expect(checkSupported([])).toEqual([]);
  const [check] = checkSupported(['codex review: the stand-in does not support `codex review`']);
  expect(check).toMatchObject({
    name: 'unsupported',
    status: 'failed',
    actual: 'it refused once: codex review: the stand-in does not support `codex review`',
    suggestion: 'Play it with the real agent: `--stage scripted`.',
  });
});
