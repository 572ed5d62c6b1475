import { isObject, type JsonObject } from '@understudy/kit';
import { objectOf } from './wire/json.js';

const DEEPEST = 8;

/** A small plausible value of a JSON schema, as the answer to an auxiliary request. */
export function instanceOf(schema: JsonObject, text: string, depth = 0): unknown {
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum']) && schema['enum'].length > 0) return schema['enum'][0];
  const options = [schema['anyOf'], schema['oneOf']].find((list) => Array.isArray(list) && list.length > 0);
  if (Array.isArray(options)) return instanceOf(objectOf(options[0]), text, depth + 1);
  const type = String(Array.isArray(schema['type']) ? schema['type'][0] : schema['type']).toLowerCase();
  switch (type) {
    case 'string':
      return text;
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'null':
      return null;
    default:
      return objectInstance(schema, text, depth);
  }
}

function objectInstance(schema: JsonObject, text: string, depth: number): JsonObject {
  const value: JsonObject = {};
  if (depth > DEEPEST) return value;
  for (const [key, property] of Object.entries(objectOf(schema['properties']))) {
    if (isObject(property)) value[key] = instanceOf(property, text, depth + 1);
  }
  return value;
}
