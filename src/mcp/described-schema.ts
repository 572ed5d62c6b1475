import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

/**
 * A schema that describes and lets everything pass: the tool checks its own input, so that what is
 * wrong is reported with our code and fix.
 */
export function describedSchema(json: Record<string, unknown>): StandardSchemaWithJSON<unknown, unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'understudy',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
