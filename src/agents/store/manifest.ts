import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { agentNames } from '../pinned.js';

/** The file that says: this version is whole. It is written before the folder gets its name. */
export const MANIFEST = 'understudy.json';

const manifestSchema = z.object({
  agent: z.enum(agentNames),
  version: z.string(),
  package: z.string(),
  integrity: z.record(z.string(), z.string()),
});

export type Manifest = z.infer<typeof manifestSchema>;

export function readManifest(folder: string): Manifest | undefined {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')));
  } catch {
    return undefined;
  }
}
