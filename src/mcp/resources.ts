import { type McpServer, ResourceTemplate, type Variables } from '@modelcontextprotocol/server';
import { redactor, UnderstudyError } from '@understudy/kit';
import type { Harness } from './harness/harness.js';
import type { HarnessHolder } from './harness-holder.js';
import toolList from './tools.schema.json' with { type: 'json' };

const views = {
  transcript: { title: 'Transcript', mimeType: 'text/markdown', description: 'What was said and done' },
  events: { title: 'Events', mimeType: 'application/jsonl', description: 'Every event, one per line' },
  requests: { title: 'Requests', mimeType: 'application/jsonl', description: 'What the CLI asked the scripted model' },
  scenario: { title: 'Scenario', mimeType: 'application/json', description: 'What the model answers' },
  report: {
    title: 'Report',
    mimeType: 'application/json',
    description: 'Turns, stages, unused rules, unanswered prompts',
  },
} as const;

export type ConversationView = keyof typeof views;

/** What can be read: conversations, captured artifacts, workflows, the schema of scenarios. */
export function registerResources(server: McpServer, holder: HarnessHolder): void {
  for (const [view, { title, mimeType, description }] of Object.entries(views)) {
    const template = new ResourceTemplate(`understudy://conversations/{id}/${view}`, {
      list: () => ({
        resources: (holder.peek()?.conversations.all ?? []).map(({ id }) => ({
          uri: `understudy://conversations/${id}/${view}`,
          name: `${id} ${view}`,
          mimeType,
        })),
      }),
      complete: { id: (typed) => idsOf(holder.peek()).filter((id) => id.startsWith(typed)) },
    });
    server.registerResource(`conversation-${view}`, template, { title, mimeType, description }, async (uri, { id }) => {
      const { readConversation } = await import('./harness/read-conversation.js');
      const held = (await holder.get()).conversations.find(single(id));
      const text = redactor(process.env)(readConversation(held, view as ConversationView));
      return { contents: [{ uri: uri.href, mimeType, text }] };
    });
  }
  registerArtifacts(server, holder);
  registerWorkflows(server);
  registerSchemas(server);
}

function registerArtifacts(server: McpServer, holder: HarnessHolder): void {
  const template = new ResourceTemplate('understudy://artifacts/{run}/{kind}/{name}', {
    list: async () => {
      const harness = holder.peek();
      if (harness === undefined) return { resources: [] };
      const { listArtifacts } = await import('./harness/read-artifacts.js');
      return {
        resources: listArtifacts(harness.artifacts).map((path) => ({
          uri: `understudy://artifacts/${path}`,
          name: path,
        })),
      };
    },
  });
  const metadata = { title: 'Captured artifact', description: 'A file that capture_test_artifacts saved' };
  server.registerResource('artifact', template, metadata, async (uri, { run, kind, name }) => {
    const { readArtifact } = await import('./harness/read-artifacts.js');
    const harness = await holder.get();
    const { mimeType, text, blob } = readArtifact(harness.artifacts, [run, kind, name].map(single).join('/'));
    return {
      contents: [
        { uri: uri.href, mimeType, ...(blob === undefined ? { text: redactor(process.env)(text ?? '') } : { blob }) },
      ],
    };
  });
}

function registerWorkflows(server: McpServer): void {
  const template = new ResourceTemplate('understudy://workflows/{name}', {
    list: async () => {
      const { builtInWorkflows } = await import('@understudy/stage');
      return {
        resources: Object.keys(builtInWorkflows).map((name) => ({
          uri: `understudy://workflows/${name}`,
          name,
          mimeType: 'application/toml',
        })),
      };
    },
  });
  const metadata = {
    title: 'Workflow',
    mimeType: 'application/toml',
    description: 'Stages and what moves between them',
  };
  server.registerResource('workflow', template, metadata, async (uri, variables) => {
    const { builtInWorkflows } = await import('@understudy/stage');
    const name = single(variables['name']);
    const text = Object.hasOwn(builtInWorkflows, name) ? builtInWorkflows[name] : undefined;
    if (text === undefined) {
      throw new UnderstudyError('WORKFLOW_UNKNOWN', `there is no workflow named ${JSON.stringify(name)}`, {
        fix: `Use one of ${Object.keys(builtInWorkflows).join(', ')}.`,
      });
    }
    return { contents: [{ uri: uri.href, mimeType: 'application/toml', text }] };
  });
}

function registerSchemas(server: McpServer): void {
  const schemas = {
    scenario: {
      ...{
        title: 'Schema of scenarios',
        mimeType: 'application/schema+json',
        description: 'How a scenario is written',
      },
      read: async () => (await import('@understudy/script')).scenarioJsonSchema(),
    },
    tools: {
      ...{ title: 'Schemas of the tools', mimeType: 'application/json', description: 'What each takes and gives' },
      read: () => toolList,
    },
  };
  for (const [name, { read, ...metadata }] of Object.entries(schemas)) {
    server.registerResource(`${name}-schema`, `understudy://schema/${name}`, metadata, async (uri) => {
      const text = JSON.stringify(await read(), null, 2);
      return { contents: [{ uri: uri.href, mimeType: metadata.mimeType, text }] };
    });
  }
}

function idsOf(harness: Harness | undefined): string[] {
  return (harness?.conversations.all ?? []).map(({ id }) => id);
}

function single(value: Variables[string] | undefined): string {
  return Array.isArray(value) ? (value[0] ?? '') : (value ?? '');
}
