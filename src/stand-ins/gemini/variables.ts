import { isObject } from '../../document/json.js';

/** A setting with the variables that it names: `$NAME`, `${NAME}`, `${NAME:-default}`. Unknown ones stay as they are. */
export function withVariables(value: unknown, env: NodeJS.ProcessEnv): unknown {
  if (typeof value === 'string')
    return value.replace(
      /\$(?:(\w+)|\{([^}]+?)(?::-([^}]*))?\})/g,
      (written: string, plain?: string, braced?: string, otherwise?: string) =>
        env[plain ?? braced ?? ''] ?? otherwise ?? written,
    );
  if (Array.isArray(value)) return value.map((item) => withVariables(item, env));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withVariables(item, env)]));
}
