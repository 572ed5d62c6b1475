import * as z from 'zod/mini';

/** What Claude Code answers over its control protocol, as far as it shows what was loaded. */

const command = z.looseObject({
  name: z.string(),
  description: z.optional(z.string()),
  aliases: z.optional(z.array(z.string())),
  builtin: z.optional(z.boolean()),
});

const agent = z.looseObject({ name: z.string(), description: z.optional(z.string()) });

/** The answer to `reload_plugins`: the same lists as at the start, with descriptions. */
export const reloadedSchema = z.looseObject({
  commands: z._default(z.array(command), []),
  agents: z._default(z.array(agent), []),
});

const hook = z.looseObject({
  event: z.string(),
  matcher: z._default(z.string(), ''),
  type: z._default(z.string(), 'command'),
  commandText: z._default(z.string(), ''),
  pluginName: z.optional(z.string()),
  source: z.optional(z.string()),
  timeout: z.optional(z.number()),
});

export const hooksListingSchema = z.looseObject({
  hooks: z._default(z.array(hook), []),
  eventCatalog: z._default(z.array(z.looseObject({ name: z.string() })), []),
});

/** Here the CLI shows from which file a command, skill or agent came. */
export const contextUsageSchema = z.looseObject({
  agents: z._default(z.array(z.looseObject({ agentType: z.string(), path: z.optional(z.string()) })), []),
  skills: z.optional(
    z.looseObject({
      skillFrontmatter: z._default(z.array(z.looseObject({ name: z.string(), path: z.optional(z.string()) })), []),
    }),
  ),
});

export type LoadedCommand = z.infer<typeof command>;
export type LoadedAgent = z.infer<typeof agent>;
export type LoadedHook = z.infer<typeof hook>;
