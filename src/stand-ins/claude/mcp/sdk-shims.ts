// The bundle puts this in place of @modelcontextprotocol/client/_shims (see tsdown.config.ts), which
// loads a JSON Schema validator at every start. Ours is loaded by the first tool that has an output schema.
import type { jsonSchemaValidator as JsonSchemaValidator } from '@modelcontextprotocol/client';
import { lazyRequire } from '../../../document/lazy-require.js';
import { type CheckValue, compileValueSchema, type ValueProblem } from '../../../scenario/value-schema.js';

type Validators = typeof import('@modelcontextprotocol/client/validators/ajv');

export class DefaultJsonSchemaValidator implements JsonSchemaValidator {
  #loaded: JsonSchemaValidator | undefined;

  getValidator<T>(schema: object) {
    const check = compiled(schema);
    if (check === undefined) return this.#ofTheSdk().getValidator<T>(schema);
    return (value: unknown) => {
      const problems = check(value);
      return problems.length === 0
        ? { valid: true as const, data: value as T, errorMessage: undefined }
        : { valid: false as const, data: undefined, errorMessage: problems.map(describe).join(', ') };
    };
  }

  /** It knows all dialects. */
  #ofTheSdk(): JsonSchemaValidator {
    this.#loaded ??= new (
      lazyRequire('@modelcontextprotocol/client/validators/ajv') as Validators
    ).AjvJsonSchemaValidator();
    return this.#loaded;
  }
}

function compiled(schema: object): CheckValue | undefined {
  try {
    return compileValueSchema(schema);
  } catch {
    return undefined;
  }
}

function describe({ path, message }: ValueProblem): string {
  return `data${path} ${message}`;
}

/** CORS exists in browsers only. */
export const CORS_IS_POSSIBLE = false;
