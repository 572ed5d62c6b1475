import { expect, it } from 'vitest';
import { loadDriver } from './database.js';

it('says which package is missing, and how to get it', () => {
  expect(() => loadDriver('no-such-package-for-the-queue')).toThrow(
    expect.objectContaining({ code: 'QUEUE_NOT_INSTALLED' }),
  );
});
