import { describedJsonSchema } from '@understudy/script';
import { rehearsalSchema } from './schema.js';

/** The rehearsal format as a JSON Schema. */
export function rehearsalJsonSchema(): object {
  return {
    ...describedJsonSchema(rehearsalSchema),
    title: 'Understudy rehearsal',
    description: 'A whole test in one file: what the model answers, what the user says, what must be true afterwards.',
  };
}
