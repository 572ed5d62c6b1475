import type { Tool } from '../tool.js';

/** The tools by what they are about; a category is loaded when one of its tools is first called. */
export const toolCategories: Readonly<Record<string, () => Promise<readonly Tool[]>>> = {
  rehearsals: async () => (await import('./rehearsals.js')).rehearsalTools,
  environment: async () => (await import('./environment.js')).environmentTools,
  assertions: async () => (await import('./assertions.js')).assertionTools,
  'mcp-servers': async () => (await import('./mcp-servers.js')).mcpServerTools,
  plugins: async () => (await import('./plugins.js')).pluginTools,
  commands: async () => (await import('./commands.js')).commandTools,
  conversations: async () => (await import('./conversations.js')).conversationTools,
  agents: async () => (await import('./agents.js')).agentTools,
  hooks: async () => (await import('./hooks.js')).hookTools,
};
