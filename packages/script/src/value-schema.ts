import { lazyRequire } from '@understudy/kit';
import { compileRegex } from './linear-regex.js';

type Validators = typeof import('@modelcontextprotocol/client/validators/ajv');

/** One way in which a value does not follow a JSON Schema. */
export interface ValueProblem {
  /** A JSON pointer, such as `/list/0`; empty for the value itself. */
  path: string;
  message: string;
}

/** Finds all problems of a value. */
export type CheckValue = (value: unknown) => ValueProblem[];

/**
 * Compiles a JSON Schema that a user, a plugin or a model gave. Its patterns run in linear time. Throws when the schema
 * is not valid, or has something that we would not look at.
 */
export function compileValueSchema(schema: object): CheckValue {
  // One for each schema, because schemas may have the same `$id`.
  const validate = linearAjv().compile(withoutDialect(schema));
  return (value) => {
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message = 'does not fit' }) => ({
      path: instancePath,
      message,
    }));
  };
}

/** An unknown keyword is an error: whatever it asks for would not be checked. */
function linearAjv(): InstanceType<Validators['Ajv']> {
  const { Ajv, addFormats } = lazyRequire('@modelcontextprotocol/client/validators/ajv') as Validators;
  const ajv = new Ajv({ strict: false, strictSchema: true, allErrors: true, code: { regExp: linearRegExp } });
  addFormats(ajv);
  return ajv;
}

const linearRegExp = Object.assign(
  (pattern: string) => {
    const regex = compileRegex(pattern);
    if ('refused' in regex) throw new Error(`the pattern ${JSON.stringify(pattern)} is refused: ${regex.refused}`);
    // By this name the validator distinguishes patterns.
    return { test: (text: string) => regex.test(text), toString: () => pattern };
  },
  { code: 'linearRegExp' },
);

/** Newer dialects are accepted as far as their keywords are known. */
function withoutDialect(schema: object): object {
  return { ...schema, $schema: undefined };
}
