import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { toolNamed } from './call-tool.js';
import type { HarnessHolder } from './harness-holder.js';
import { registerPrompts } from './prompts.js';
import { registerResources } from './resources.js';
import type { ToolContext } from './tool.js';
import type { ToolList } from './tool-list.js';
import toolList from './tools.schema.json' with { type: 'json' };

const INSTRUCTIONS = `Understudy rehearses coding agents: the real CLI on a scripted model, with no key and no network.
To test a plugin: inspect_plugin, write_rehearsal, run_rehearsal; repair what is red, and run it again.
To try things step by step: create_test_project and setup_git_repo make something to work on; install_plugin (or "plugins" in the config) brings the plugin; start_conversation starts the agent, and its scenario says what the model answers; execute_command and send_prompt with get_response talk to it; the assert_ and verify_ tools judge what came of it; end_conversation and reset_test_environment clear up.
An error has a code, a sentence and a fix. A check that could not be made is an error, not a pass.`;

const described = Object.entries(toolList as ToolList).flatMap(([category, tools]) =>
  // Without the schemas of the results: they are half of the list, no model API takes them, and SDK 1.x throws an error
  // away whose structure is not that of a result. Who wants them reads understudy://schema/tools.
  tools.map(({ inputSchema, outputSchema: _, ...tool }) => ({
    ...tool,
    category,
    inputSchema: describedSchema(inputSchema),
  })),
);

/** A server with everything that it offers, for one client. */
export function buildServer(holder: HarnessHolder, version: string): McpServer {
  const server = new McpServer({ name: 'understudy', title: 'Understudy', version }, { instructions: INSTRUCTIONS });
  for (const { name, category, ...config } of described) {
    server.registerTool(name, config, async (args: unknown, ctx: ServerContext) =>
      (await toolNamed(category, name)).call(args, contextOf(holder, ctx)),
    );
  }
  registerResources(server, holder);
  registerPrompts(server, holder);
  return server;
}

function contextOf(holder: HarnessHolder, { mcpReq }: ServerContext): ToolContext {
  const token = mcpReq._meta?.progressToken;
  let progress = 0;
  return {
    harness: () => holder.get(),
    signal: mcpReq.signal,
    progress(message) {
      if (token === undefined || mcpReq.signal.aborted) return;
      progress++;
      const params = { progressToken: token, progress, message };
      // A client that has gone needs no progress.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    },
  };
}

/**
 * A schema that describes and lets everything pass: the tool checks its own input, so that what is
 * wrong is reported with our code and fix.
 */
function describedSchema(json: Record<string, unknown>): StandardSchemaWithJSON<unknown, unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'understudy',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
