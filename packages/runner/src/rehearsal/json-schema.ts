import { isObject, type JsonObject } from '@understudy/kit';
import { describedJsonSchema } from '@understudy/script';
import { rehearsalSchema } from './schema.js';

/** What stands for the value of a row, whatever its type. */
const PLACEHOLDER = {
  type: 'string',
  pattern: '^\\{\\{\\s*\\w+\\s*\\}\\}$',
  description: 'The value that a row of `each` has.',
};

/** The rehearsal format as a JSON Schema. */
export function rehearsalJsonSchema(): object {
  const { properties, $defs, ...rest } = describedJsonSchema(rehearsalSchema) as { properties: object; $defs: object };
  return {
    ...rest,
    properties,
    $defs: { ...(withPlaceholders($defs) as object), placeholder: PLACEHOLDER },
    title: 'Understudy rehearsal',
    description: 'A whole test in one file: what the model answers, what the user says, what must be true afterwards.',
  };
}

/** Below the top, what is no text may be that of a row. */
function withPlaceholders(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withPlaceholders);
  if (!isObject(schema)) return schema;
  if (!isTyped(schema)) {
    return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withPlaceholders(value)]));
  }
  const { description, ...own } = schema;
  return { ...(description === undefined ? {} : { description }), anyOf: [own, { $ref: '#/$defs/placeholder' }] };
}

function isTyped({ type, enum: values, const: only }: JsonObject): boolean {
  if (only !== undefined) return false;
  return Array.isArray(values) || ['boolean', 'integer', 'number'].includes(type as string);
}
