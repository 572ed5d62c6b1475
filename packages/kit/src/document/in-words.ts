import * as z from 'zod/mini';

/** For a parse whose problems somebody may read: by itself, `zod/mini` says nothing but "Invalid input". */
export const inWords = { error: z.locales.en().localeError };
