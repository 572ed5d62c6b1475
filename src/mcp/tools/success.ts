import * as z from 'zod';

/** A tool that could not do its job gives an error, so this field of a result has one value. */
export const status = z.literal('success');
