import { isObject, type JsonObject } from '../../../document/json.js';

/**
 * The first way in which a value does not follow a JSON Schema, or nothing. It knows the keywords that
 * structured output uses: types, properties, items, enums, lengths, patterns and combinations.
 */
export function findSchemaProblem(schema: unknown, value: unknown, at = 'root'): string | undefined {
  if (schema === false) return `${at}: must not be there`;
  if (!isObject(schema)) return undefined;
  return (
    checkType(schema, value, at) ??
    checkValue(schema, value, at) ??
    checkCombinations(schema, value, at) ??
    (isObject(value) ? checkObject(schema, value, at) : undefined) ??
    (Array.isArray(value) ? checkArray(schema, value, at) : undefined)
  );
}

function checkType({ type }: JsonObject, value: unknown, at: string): string | undefined {
  if (type === undefined) return undefined;
  const types = Array.isArray(type) ? type : [type];
  return types.some((name) => hasType(name, value)) ? undefined : `${at}: must be ${types.join(' or ')}`;
}

function hasType(name: unknown, value: unknown): boolean {
  switch (name) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === name;
  }
}

function checkValue(schema: JsonObject, value: unknown, at: string): string | undefined {
  const same = (other: unknown): boolean => JSON.stringify(other) === JSON.stringify(value);
  if (Array.isArray(schema['enum']) && !schema['enum'].some(same))
    return `${at}: must be equal to one of the allowed values`;
  if (schema['const'] !== undefined && !same(schema['const'])) return `${at}: must be equal to constant`;
  if (typeof value === 'string') {
    if (value.length < limit(schema, 'minLength', 0))
      return `${at}: must NOT have fewer than ${schema['minLength']} characters`;
    if (value.length > limit(schema, 'maxLength'))
      return `${at}: must NOT have more than ${schema['maxLength']} characters`;
    const { pattern } = schema;
    if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value))
      return `${at}: must match pattern "${pattern}"`;
  }
  if (typeof value === 'number') {
    if (value < limit(schema, 'minimum', Number.NEGATIVE_INFINITY)) return `${at}: must be >= ${schema['minimum']}`;
    if (value > limit(schema, 'maximum')) return `${at}: must be <= ${schema['maximum']}`;
  }
  return undefined;
}

function checkCombinations(schema: JsonObject, value: unknown, at: string): string | undefined {
  const list = (name: string): unknown[] => (Array.isArray(schema[name]) ? schema[name] : []);
  const fits = (part: unknown): boolean => findSchemaProblem(part, value, at) === undefined;
  for (const part of list('allOf')) {
    const problem = findSchemaProblem(part, value, at);
    if (problem !== undefined) return problem;
  }
  if (list('anyOf').length > 0 && !list('anyOf').some(fits)) return `${at}: must match a schema in anyOf`;
  if (list('oneOf').length > 0 && list('oneOf').filter(fits).length !== 1)
    return `${at}: must match exactly one schema in oneOf`;
  return undefined;
}

function checkObject(schema: JsonObject, value: JsonObject, at: string): string | undefined {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  for (const name of Array.isArray(schema['required']) ? schema['required'] : []) {
    if (value[String(name)] === undefined) return `${at}: must have required property '${name}'`;
  }
  for (const [name, item] of Object.entries(value)) {
    const part = Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties'];
    if (part === false) return `${at}: must NOT have additional properties`;
    const problem = findSchemaProblem(part, item, at === 'root' ? `/${name}` : `${at}/${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkArray(schema: JsonObject, value: unknown[], at: string): string | undefined {
  if (value.length < limit(schema, 'minItems', 0)) return `${at}: must NOT have fewer than ${schema['minItems']} items`;
  if (value.length > limit(schema, 'maxItems')) return `${at}: must NOT have more than ${schema['maxItems']} items`;
  for (const [index, item] of value.entries()) {
    const problem = findSchemaProblem(schema['items'], item, at === 'root' ? `/${index}` : `${at}/${index}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function limit(schema: JsonObject, name: string, otherwise: number = Number.POSITIVE_INFINITY): number {
  const value = schema[name];
  return typeof value === 'number' ? value : otherwise;
}
