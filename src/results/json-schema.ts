import * as z from 'zod/mini';
import { reportSchema } from './schema.js';

/** The format of report.json as a JSON Schema, for whoever reads reports. */
export function reportJsonSchema(): object {
  return {
    ...z.toJSONSchema(reportSchema),
    title: 'Understudy suite report',
    description:
      'What `understudy e2e` found out about an orchestrator: results, evidence, diagnoses, recommendations.',
  };
}
