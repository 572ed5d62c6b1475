import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { HarnessHolder } from './harness-holder.js';

/** What an agent can ask to be asked: to write a rehearsal, to test a plugin, to explain a failure. */
export function registerPrompts(server: McpServer, holder: HarnessHolder): void {
  server.registerPrompt(
    'write_rehearsal',
    {
      title: 'Write a rehearsal for this plugin',
      description: 'Reads a plugin’s files and asks for a rehearsal of what it promises.',
      argsSchema: z.object({
        plugin_path: z.string().describe('the folder of the plugin'),
        focus: z.string().optional().describe('what to rehearse above all'),
      }),
    },
    async ({ plugin_path, focus }) => {
      const { askForRehearsal } = await import('./harness/ask-for-rehearsal.js');
      return userMessage(askForRehearsal(plugin_path, focus));
    },
  );
  server.registerPrompt(
    'rehearse_plugin',
    {
      title: 'Rehearse this plugin',
      description: 'Asks to test a plugin with the tools of this server: inspect, write a rehearsal, run it, repair.',
      argsSchema: z.object({ plugin_path: z.string().describe('the folder of the plugin') }),
    },
    async ({ plugin_path }) => {
      const { askToRehearse } = await import('./harness/ask-for-rehearsal.js');
      return userMessage(askToRehearse(plugin_path));
    },
  );
  server.registerPrompt(
    'explain_failure',
    {
      title: 'Explain this failure',
      description: 'Puts together what is known of a conversation and asks why it went wrong.',
      argsSchema: z.object({ session_id: z.string(), question: z.string().optional() }),
    },
    async ({ session_id, question }) => {
      const { askForExplanation } = await import('./harness/ask-for-explanation.js');
      const held = (await holder.get()).conversations.find(session_id);
      return userMessage(askForExplanation(held, question));
    },
  );
}

function userMessage(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
