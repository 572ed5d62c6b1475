// The bundle puts this in place of @modelcontextprotocol/client/_shims (see tsdown.config.ts), which
// loads a JSON Schema validator at every start. Ours is loaded by the first tool that has an output schema.
import type { jsonSchemaValidator as JsonSchemaValidator } from '@modelcontextprotocol/client';
import { lazyRequire } from '../../../document/lazy-require.js';

type Validators = typeof import('@modelcontextprotocol/client/validators/ajv');

export class DefaultJsonSchemaValidator implements JsonSchemaValidator {
  #loaded: JsonSchemaValidator | undefined;

  getValidator<T>(schema: object) {
    this.#loaded ??= new (
      lazyRequire('@modelcontextprotocol/client/validators/ajv') as Validators
    ).AjvJsonSchemaValidator();
    return this.#loaded.getValidator<T>(schema);
  }
}

/** CORS exists in browsers only. */
export const CORS_IS_POSSIBLE = false;
