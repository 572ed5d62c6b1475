import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../schema');

const published = readdirSync(FOLDER).map((file): [string, unknown] => [
  file,
  JSON.parse(readFileSync(join(FOLDER, file), 'utf8')),
]);

it('looks at each schema that is published', () => {
  expect(published.map(([file]) => file).toSorted()).toEqual([
    ...['guard.schema.json', 'orchestrator.schema.json', 'rehearsal.schema.json', 'result.schema.json'],
    ...['scenario.schema.json', 'understudy.schema.json', 'workflow.schema.json'],
  ]);
});

it.each(published)('describes each field in a sentence: %s', (file, schema) => {
  const fields = [...fieldsIn(schema)];
  expect(fields.length).toBeGreaterThan(5);
  expect(schema).toMatchObject({ $id: `https://unpkg.com/agent-understudy/schema/${file}` });
  expect(fields.filter(({ description = '' }) => !/^\S.*[.…]$/.test(description))).toEqual([]);
});

it('finds a field without a description wherever it stands', () => {
  const silent = { type: 'object', properties: { deep: {} } };
  const schema = {
    properties: { list: { description: 'A list.', items: { anyOf: [{ type: 'string' }, silent] } } },
    $defs: { part: silent },
  };
  const found = [...fieldsIn(schema)].filter(({ description }) => description === undefined);
  expect(found.map(({ path }) => path)).toEqual(['list.items.anyOf.1.deep', '$defs.part.deep']);
});

/** All fields of the objects in a schema. */
function* fieldsIn(schema: unknown, path = ''): Generator<{ path: string; description?: string | undefined }> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, part] of Object.entries(schema)) {
    // A condition is about fields that are described elsewhere.
    if (['if', 'then', 'else'].includes(key)) continue;
    if (key !== 'properties') yield* fieldsIn(part, `${path}${key}.`);
    else
      for (const [name, field] of Object.entries(part as Record<string, { description?: string }>)) {
        yield { path: `${path}${name}`, description: field.description };
        yield* fieldsIn(field, `${path}${name}.`);
      }
  }
}
