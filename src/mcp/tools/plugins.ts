import { defined } from '@understudy/kit';
import * as z from 'zod';
import { additive, defineTool, destructive, readOnly, type Tool } from '../tool.js';

const pluginName = z.string().min(1).describe('"agent-loop" or "agent-loop@its-marketplace"');

const statusOutput = {
  plugin_name: z.string(),
  status: z.enum(['loaded', 'failed', 'disabled', 'not installed']),
  version: z.string().optional(),
  errors: z.array(z.string()),
  components: z
    .array(
      z.object({
        kind: z.string(),
        name: z.string(),
        status: z.enum(['loaded', 'failed']),
        reason: z.string().optional(),
        fix: z.string().optional(),
      }),
    )
    .describe('commands, agents, skills, hooks and servers, as the CLI has them'),
};

interface Status {
  id: string;
  state: 'loaded' | 'failed' | 'disabled' | 'not installed';
  version?: string;
  errors: string[];
  report?: {
    components: readonly { kind: string; name: string; status: 'loaded' | 'failed'; reason?: string; fix?: string }[];
  };
}

function describeStatus({ id, state, version, errors, report }: Status) {
  return {
    plugin_name: id,
    status: state,
    ...defined({ version }),
    errors,
    components: (report?.components ?? []).map(({ kind, name, status, reason, fix }) => ({
      kind,
      name,
      status,
      ...defined({ reason, fix }),
    })),
  };
}

function statusText({ plugin_name, status, errors, components }: z.infer<z.ZodObject<typeof statusOutput>>): string {
  return [
    `${plugin_name} is ${status}`,
    ...errors,
    ...components.map(({ kind, name, status: state, reason }) =>
      state === 'loaded' ? `${kind} ${name}` : `${kind} ${name} FAILED: ${reason ?? 'no reason was given'}`,
    ),
  ].join('\n');
}

const installPlugin = defineTool({
  name: 'install_plugin',
  title: 'Install a plugin',
  description:
    'Installs a plugin from a marketplace folder into the Claude Code of this session, for conversations that start from now on, and reports what the CLI loads of it.',
  annotations: additive,
  input: z.strictObject({
    plugin_name: pluginName,
    marketplace_path: z.string().optional().describe('the folder that holds .claude-plugin/marketplace.json'),
  }),
  output: z.object(statusOutput),
  async run({ plugin_name, marketplace_path }, context) {
    context.progress(`installing ${plugin_name}`);
    return describeStatus(await (await context.harness()).plugins.install(plugin_name, marketplace_path));
  },
  text: statusText,
});

const uninstallPlugin = defineTool({
  name: 'uninstall_plugin',
  title: 'Uninstall a plugin',
  description: 'Uninstalls a plugin. Conversations that run keep it until they end.',
  annotations: destructive,
  input: z.strictObject({ plugin_name: pluginName }),
  output: z.object({ plugin_name: z.string(), uninstalled: z.boolean() }),
  async run({ plugin_name }, context) {
    const { plugins } = await context.harness();
    const id = await plugins.uninstall(plugin_name);
    return { plugin_name: id, uninstalled: !plugins.all.some((plugin) => plugin.id === id) };
  },
  text: ({ plugin_name }) => `${plugin_name} is uninstalled`,
});

const listPlugins = defineTool({
  name: 'list_plugins',
  title: 'List the installed plugins',
  description: 'The installed plugins, with the errors that the CLI found.',
  annotations: readOnly,
  input: z.strictObject({}),
  output: z.object({
    plugins: z.array(
      z.object({
        name: z.string(),
        marketplace: z.string().optional(),
        version: z.string().optional(),
        enabled: z.boolean(),
        path: z.string().optional(),
        errors: z.array(z.string()),
      }),
    ),
  }),
  async run(_input, context) {
    const { plugins } = await context.harness();
    return {
      plugins: plugins.all.map(({ id, version, enabled, readFromFolder, installPath, errors }) => {
        const [name = id, marketplace] = id.split('@');
        const path = readFromFolder ?? installPath;
        return {
          name,
          ...defined({ marketplace, version }),
          enabled,
          ...defined({ path }),
          errors,
        };
      }),
    };
  },
  text: ({ plugins }) =>
    plugins.length === 0
      ? 'No plugin is installed'
      : plugins
          .map(({ name, version, enabled, errors }) =>
            [name, version, enabled ? undefined : 'disabled', ...errors].filter((part) => part !== undefined).join(' '),
          )
          .join('\n'),
});

const getPluginStatus = defineTool({
  name: 'get_plugin_status',
  title: 'See whether a plugin really loads',
  description: 'What the real CLI loads of an installed plugin: each part, loaded or failed, with the reason.',
  annotations: readOnly,
  input: z.strictObject({ plugin_name: pluginName }),
  output: z.object(statusOutput),
  async run({ plugin_name }, context) {
    return describeStatus(await (await context.harness()).plugins.status(plugin_name));
  },
  text: statusText,
});

/** Plugins of Claude Code. */
export const pluginTools: readonly Tool[] = [installPlugin, uninstallPlugin, listPlugins, getPluginStatus];
