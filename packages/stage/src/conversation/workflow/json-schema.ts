import { publishedSchema } from '@understudy/script';
import { workflowSchema } from './schema.js';

/** The workflow format as a JSON Schema. */
export function workflowJsonSchema(): object {
  return publishedSchema(workflowSchema, {
    name: 'workflow',
    title: 'Understudy workflow',
    description: 'Named stages of a way of working, and what moves from one to the next.',
  });
}
