import { schemaAddress } from '@understudy/script';
import * as z from 'zod/mini';
import { runResultSchema } from './run-result.js';

/** The result document as a JSON Schema, for programs that read results. */
export function resultJsonSchema(): object {
  return {
    ...z.toJSONSchema(runResultSchema),
    $id: schemaAddress('result'),
    title: 'Understudy result',
    description: 'What `understudy run` or `understudy e2e` found out: entries, checks, evidence, diagnoses.',
  };
}
