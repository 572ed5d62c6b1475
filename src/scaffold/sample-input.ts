import { isObject, type JsonObject } from '@understudy/kit';

/** Simple values for what a tool requires, by its JSON Schema. */
export function sampleInput(schema: unknown): JsonObject {
  const { properties, required } = isObject(schema) ? schema : {};
  const names = Array.isArray(required) ? required.map(String) : [];
  const fields = isObject(properties) ? properties : {};
  return Object.fromEntries(names.map((name) => [name, sampleValue(fields[name])]));
}

function sampleValue(schema: unknown): unknown {
  if (!isObject(schema)) return 'example';
  if (schema['default'] !== undefined) return schema['default'];
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['examples']) && schema['examples'].length > 0) return schema['examples'][0];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return sampleValue(choices[0]);
  const [type] = [schema['type']].flat();
  if (type === 'integer' || type === 'number') return Math.max(1, Number(schema['minimum'] ?? 1));
  if (type === 'boolean') return false;
  if (type === 'array') return Number(schema['minItems'] ?? 0) > 0 ? [sampleValue(schema['items'])] : [];
  if (type === 'object') return sampleInput(schema);
  return 'example';
}
