import { publishedSchema } from '@understudy/script';
import { runExpectationSchema } from '@understudy/verdict';
import * as z from 'zod/mini';
import { expectationSchema } from './expectation-schema.js';
import { rehearsalSchema } from './schema.js';

const OWN = { type: 'object', description: 'What a check of your own looks at: `checks` names its module.' } as const;
for (const schema of [expectationSchema, runExpectationSchema]) {
  z.globalRegistry.add(schema, { additionalProperties: OWN });
}

/** The rehearsal format as a JSON Schema. Which fields the checks of users have, is known to their modules alone. */
export function rehearsalJsonSchema(): object {
  return {
    ...publishedSchema(rehearsalSchema, {
      name: 'rehearsal',
      title: 'Understudy rehearsal',
      description:
        'A whole test in one file: what the model answers, what the user says, what must be true afterwards.',
      files: true,
    }),
    if: { not: { required: ['checks'] } },
    then: { properties: { steps: { items: ONLY_OURS } } },
  };
}

/** Of a step in a rehearsal that names no checks of its own. */
const ONLY_OURS = {
  if: { required: ['run'] },
  then: expecting(runExpectationSchema),
  else: expecting(expectationSchema),
};

function expecting({ shape }: { shape: object }) {
  return { properties: { expect: { propertyNames: { enum: Object.keys(shape) } } } };
}
