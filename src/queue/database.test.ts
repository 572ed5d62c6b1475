import { expect, it } from 'vitest';
import { loadDriver } from './database.js';

it('says which package is missing, and how to get it', async () => {
  const missing = 'no-such-package-for-the-queue';
  await expect(loadDriver(() => import(/* @vite-ignore */ missing))).rejects.toMatchObject({
    code: 'QUEUE_NOT_INSTALLED',
  });
});
