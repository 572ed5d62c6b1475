import { publishedSchema } from '@understudy/script';
import { guardFileSchema } from './guard-file.js';

/** `guard.toml` as a JSON Schema. */
export function guardJsonSchema(): object {
  return publishedSchema(guardFileSchema, {
    name: 'guard',
    title: 'Understudy guard file',
    description: 'How the guards of a folder are attacked, where it cannot be derived.',
  });
}
