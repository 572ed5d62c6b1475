// The bundle puts this in place of the `_shims` of @modelcontextprotocol/server and client (see tsdown.config.ts), which
// load a JSON Schema validator at every start. Ours is loaded by the first schema that is to be checked.
import process from 'node:process';
import type { jsonSchemaValidator as JsonSchemaValidator } from '@modelcontextprotocol/server';
import { lazyRequire } from '@understudy/kit';

type Validators = typeof import('@modelcontextprotocol/server/validators/ajv');

export class DefaultJsonSchemaValidator implements JsonSchemaValidator {
  #loaded: JsonSchemaValidator | undefined;

  getValidator<T>(schema: object) {
    this.#loaded ??= new (
      lazyRequire('@modelcontextprotocol/server/validators/ajv') as Validators
    ).AjvJsonSchemaValidator();
    return this.#loaded.getValidator<T>(schema);
  }
}

export { process };

/** CORS exists in browsers only. */
export const CORS_IS_POSSIBLE = false;
