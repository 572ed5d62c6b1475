import { field } from '@understudy/kit';
import { expectations } from '@understudy/verdict';
import * as z from 'zod/mini';

/** What must hold after a step. Everything that is given is checked; each thing is its own result. */
export const expectationSchema = z.extend(expectations.step, {
  snapshot: field('true: the step is the same as its stored snapshot.', z.boolean()),
});
