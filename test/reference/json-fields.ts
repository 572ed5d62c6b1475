import { cell, code } from './page.js';

/** As far as our schemas go. */
export interface JsonSchema {
  $id?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  title?: string;
  type?: string | string[];
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

/** The fields of a document, each with its path, type and meaning. What has the same fields twice is told once. */
export class JsonFields {
  readonly #definitions: Record<string, JsonSchema>;
  readonly #told = new Map<string, string>();

  readonly #saysRequired: boolean;

  constructor({ $defs = {} }: JsonSchema, { saysRequired = true } = {}) {
    this.#definitions = $defs;
    this.#saysRequired = saysRequired;
  }

  rows(schema: JsonSchema, skip: readonly string[] = []): string[][] {
    return this.#rows(schema, '', skip);
  }

  #rows(given: JsonSchema, path: string, skip: readonly string[] = []): string[][] {
    const schema = this.#resolved(given);
    const known = Object.keys(schema.properties ?? {}).length > 0 ? JSON.stringify(schema.properties) : undefined;
    const first = known === undefined ? undefined : this.#told.get(known);
    if (first !== undefined) return [[code(`${path}.…`), '', `as in ${code(`${first}.…`)}`]];
    if (known !== undefined) this.#told.set(known, path);
    const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const place = path === '' ? name : `${path}.${name}`;
      if (skip.includes(place)) return [];
      const isRefused = JSON.stringify(this.#resolved(field).not ?? null) === '{}';
      return isRefused
        ? []
        : [this.#row(place, field, schema.required?.includes(name) === true), ...this.#rows(field, place)];
    });
    const { items, additionalProperties: values } = schema;
    return [
      ...own,
      ...(items === undefined ? [] : this.#rows(items, `${path}[]`)),
      ...(typeof values === 'object' ? this.#rows(values, `${path}.*`) : []),
      ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((some = []) =>
        some.flatMap((one) => this.#rows(one, path)),
      ),
    ];
  }

  #row(path: string, field: JsonSchema, isRequired: boolean): string[] {
    const { description = '', default: usual } = { ...this.#resolved(field), ...field };
    const isSaid = usual === undefined || /default/.test(description);
    const notes = [
      ...(isRequired && this.#saysRequired ? ['required'] : []),
      ...(isSaid ? [] : [`default: ${code(JSON.stringify(usual))}`]),
    ];
    const ifAbsent = notes.length === 0 ? '' : `(${notes.join(', ')})`;
    return [code(path), cell(this.type(field)), `${cell(description)} ${ifAbsent}`.trim()];
  }

  /** In words: `text`, `list of numbers`, `"a" or "b"`. */
  type(given: JsonSchema): string {
    const schema = this.#resolved(given);
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum !== undefined) return oneOf(schema.enum.map((value) => JSON.stringify(value)));
    const some = schema.anyOf ?? schema.oneOf;
    if (some !== undefined) return oneOf([...new Set(some.map((one) => this.type(one)))]);
    if (schema.items !== undefined) return `list of: ${this.type(schema.items)}`;
    return oneOf([schema.type ?? 'any'].flat().map((type) => WORDS[type] ?? type));
  }

  #resolved(schema: JsonSchema): JsonSchema & { not?: object } {
    const name = schema.$ref?.replace('#/$defs/', '');
    return name === undefined ? schema : this.#resolved(this.#definitions[name] ?? {});
  }
}

const WORDS: Record<string, string> = {
  string: 'text',
  object: 'table',
  boolean: 'true or false',
  integer: 'whole number',
  array: 'list',
};

function oneOf(types: readonly string[]): string {
  return types.length > 8 ? `${types.slice(0, 7).join(', ')} …` : types.join(', ').replace(/, ([^,]+)$/, ' or $1');
}
