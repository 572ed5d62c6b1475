import { publishedSchema } from '@understudy/script';
import { contractSchema } from './contract-schema.js';

/** The contract of an orchestrator as a JSON Schema. */
export function contractJsonSchema(): object {
  return publishedSchema(contractSchema, {
    name: 'orchestrator',
    title: 'Understudy contract of an orchestrator',
    description: 'How an orchestrator is started, and how it says how it ended.',
  });
}
