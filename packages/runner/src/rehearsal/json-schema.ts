import { defined, isObject, type JsonObject } from '@understudy/kit';
import { publishedSchema } from '@understudy/script';
import { runExpectationSchema } from '@understudy/verdict';
import * as z from 'zod/mini';
import { expectationSchema } from './expectation-schema.js';
import { rehearsalSchema } from './schema.js';

/** What stands for the value of a row, whatever its type. */
const PLACEHOLDER = {
  type: 'string',
  pattern: '^\\{\\{\\s*\\w+\\s*\\}\\}$',
  description: 'The value that a row of `each` has.',
};

const OWN = { type: 'object', description: 'What a check of your own looks at: `checks` names its module.' } as const;
for (const schema of [expectationSchema, runExpectationSchema]) {
  z.globalRegistry.add(schema, { additionalProperties: OWN });
}

/** The rehearsal format as a JSON Schema. Which fields the checks of users have, is known to their modules alone. */
export function rehearsalJsonSchema(): object {
  const published = publishedSchema(rehearsalSchema, {
    name: 'rehearsal',
    title: 'Understudy rehearsal',
    description: 'A whole test in one file: what the model answers, what the user says, what must be true afterwards.',
    files: true,
  });
  const { properties, $defs, ...rest } = published as { properties: object; $defs: object };
  return {
    ...rest,
    properties,
    $defs: { ...(withPlaceholders($defs) as object), placeholder: PLACEHOLDER },
    if: { not: { required: ['checks'] } },
    then: { properties: { steps: { items: ONLY_OURS } } },
  };
}

/** Below the top, what is no text may be that of a row. */
function withPlaceholders(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withPlaceholders);
  if (!isObject(schema)) return schema;
  if (!isTyped(schema)) {
    return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withPlaceholders(value)]));
  }
  const { description, default: absent, ...own } = schema;
  return { ...defined({ description, default: absent }), anyOf: [own, { $ref: '#/$defs/placeholder' }] };
}

function isTyped({ type, enum: values, const: only }: JsonObject): boolean {
  if (only !== undefined) return false;
  return Array.isArray(values) || ['boolean', 'integer', 'number'].includes(type as string);
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
