import * as z from 'zod/mini';

/** An entry of a `.mcp.json`, as Claude Code takes it. */
export const localServerSchema = z.object({
  type: z.optional(z.literal('stdio')),
  command: z.string().check(z.minLength(1)),
  args: z.optional(z.array(z.string())),
  env: z.optional(z.record(z.string(), z.string())),
});

const remoteServerSchema = z.object({
  type: z.enum(['http', 'streamable-http']),
  url: z.url(),
  headers: z.optional(z.record(z.string(), z.string())),
});

export const serverConfigSchema = z.union([localServerSchema, remoteServerSchema]);

export type LocalServer = z.infer<typeof localServerSchema>;
export type ServerConfig = z.infer<typeof serverConfigSchema>;

export function isLocal(config: ServerConfig): config is LocalServer {
  return 'command' in config;
}

/** Fills in `${NAME}` and `${NAME:-otherwise}` from these variables; an unknown variable stays as it is. */
export function withVariables<T>(value: T, variables: Readonly<Record<string, string>>): T {
  const text = JSON.stringify(value).replace(
    /\$\{([A-Za-z_]\w*)(?::-([^}"\\]*))?\}/g,
    (whole, name: string, otherwise: string | undefined) => {
      const known = variables[name] ?? otherwise;
      return known === undefined ? whole : JSON.stringify(known).slice(1, -1);
    },
  );
  return JSON.parse(text) as T;
}
