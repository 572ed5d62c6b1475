import * as z from 'zod';

/** What Claude Code answers over its control protocol, as far as it tells what was loaded. */

const command = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  aliases: z.array(z.string()).optional(),
  builtin: z.boolean().optional(),
});

const agent = z.looseObject({ name: z.string(), description: z.string().optional() });

/** The answer to `reload_plugins`: the same lists as at the start, with descriptions. */
export const reloadedSchema = z.looseObject({
  commands: z.array(command).default([]),
  agents: z.array(agent).default([]),
});

const hook = z.looseObject({
  event: z.string(),
  matcher: z.string().default(''),
  type: z.string().default('command'),
  commandText: z.string().default(''),
  pluginName: z.string().optional(),
  source: z.string().optional(),
  timeout: z.number().optional(),
});

export const hooksListingSchema = z.looseObject({
  hooks: z.array(hook).default([]),
  eventCatalog: z.array(z.looseObject({ name: z.string() })).default([]),
});

/** Here the CLI tells from which file a command, skill or agent came. */
export const contextUsageSchema = z.looseObject({
  agents: z.array(z.looseObject({ agentType: z.string(), path: z.string().optional() })).default([]),
  skills: z
    .looseObject({
      skillFrontmatter: z.array(z.looseObject({ name: z.string(), path: z.string().optional() })).default([]),
    })
    .optional(),
});

export type LoadedCommand = z.infer<typeof command>;
export type LoadedAgent = z.infer<typeof agent>;
export type LoadedHook = z.infer<typeof hook>;
