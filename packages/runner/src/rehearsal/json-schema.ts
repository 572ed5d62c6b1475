import { publishedSchema } from '@understudy/script';
import { rehearsalSchema } from './schema.js';

/** The rehearsal format as a JSON Schema. */
export function rehearsalJsonSchema(): object {
  return publishedSchema(rehearsalSchema, {
    name: 'rehearsal',
    title: 'Understudy rehearsal',
    description: 'A whole test in one file: what the model answers, what the user says, what must be true afterwards.',
    files: true,
  });
}
