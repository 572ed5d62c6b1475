import * as z from 'zod';
import { additive, defineTool, readOnly, type Tool } from '../tool.js';
import { sessionId } from './conversations.js';
import { describeReply, replyOutput, replyText, waitForReply } from './reply-output.js';

const WAIT_MS = 50_000;

const command = z
  .string()
  .refine((typed) => /^\/?[\w][\w:.-]*(?:\s|$)/.test(typed), 'it begins with a command such as "/explore"')
  .describe('"/explore", "/agent-loop:explore" or "/write-tests for calculator"');

/** A command as a user types it: with its slash, and what stands behind it. */
function typedCommand(given: string, args: string): string {
  return `/${given.replace(/^\//, '')} ${args}`.trim();
}

const executeCommand = defineTool({
  name: 'execute_command',
  title: 'Run a slash command',
  description:
    'Types a slash command and waits for the end of the turn. An unknown command gives status "failed", reason "unknown_command". After timeout_ms it says "running"; get_command_output goes on waiting.',
  annotations: additive,
  input: z.strictObject({
    command,
    session_id: sessionId,
    args: z.string().default('').describe('more words behind it'),
    timeout_ms: z.int().min(0).max(3_600_000).default(WAIT_MS),
  }),
  output: z.object({ command_id: z.string(), ...replyOutput }),
  async run({ command: typed, session_id, args, timeout_ms }, context) {
    const held = (await context.harness()).conversations.find(session_id);
    const reply = held.send(typedCommand(typed, args));
    await waitForReply(held, reply, timeout_ms, context);
    return { command_id: reply.id, ...describeReply(held, reply) };
  },
  text: replyText,
});

const getCommandOutput = defineTool({
  name: 'get_command_output',
  title: 'Get what came of a command',
  description: 'The output of a command; it waits when the turn is not over.',
  annotations: { ...readOnly, readOnlyHint: false, destructiveHint: false },
  input: z.strictObject({
    command_id: z.string().describe('from execute_command'),
    timeout_ms: z.int().min(0).max(3_600_000).default(WAIT_MS),
  }),
  output: z.object({ command_id: z.string(), ...replyOutput }),
  async run({ command_id, timeout_ms }, context) {
    const { held, reply } = (await context.harness()).conversations.findReply(command_id);
    await waitForReply(held, reply, timeout_ms, context);
    return { command_id, ...describeReply(held, reply) };
  },
  text: replyText,
});

const listAvailableCommands = defineTool({
  name: 'list_available_commands',
  title: 'List the slash commands',
  description: 'The slash commands of a conversation, those of plugins first.',
  annotations: readOnly,
  input: z.strictObject({
    session_id: sessionId.optional(),
    plugin: z.string().optional().describe('only those of this plugin'),
  }),
  output: z.object({
    session_id: z.string(),
    commands: z.array(z.string()),
    plugin_commands: z.array(z.string()),
  }),
  async run({ session_id, plugin }, context) {
    const held = (await context.harness()).conversations.findOrOnly(session_id);
    const { commands } = held.conversation.snapshot().session;
    const known = commands.filter((name) => plugin === undefined || name.startsWith(`${plugin}:`));
    const own = known.filter((name) => name.includes(':'));
    const wanted = [...own, ...known.filter((name) => !name.includes(':'))];
    return {
      session_id: held.id,
      commands: wanted.map((name) => `/${name}`),
      plugin_commands: own.map((name) => `/${name}`),
    };
  },
  text: ({ commands }) => (commands.length === 0 ? 'The CLI has reported no command' : commands.join('\n')),
});

const verifyCommandExpansion = defineTool({
  name: 'verify_command_expansion',
  title: 'Verify that a command exists and expands',
  description:
    'Types the command into a fresh real CLI with the plugins of the conversation (or the installed ones) and reports what the model would get.',
  annotations: readOnly,
  input: z.strictObject({
    command,
    session_id: sessionId.optional(),
    args: z.string().default(''),
  }),
  output: z.object({
    command: z.string(),
    expands: z.boolean(),
    name: z.string().optional().describe('as the CLI knows it: "agent-loop:explore"'),
    expansion: z.string().optional(),
    problem: z.string().optional(),
    fix: z.string().optional(),
  }),
  async run({ command: typed, session_id, args }, context) {
    const { expandFor } = await import('../harness/expand.js');
    const slashed = typedCommand(typed, args);
    const outcome = await expandFor(await context.harness(), slashed, session_id);
    return { command: slashed, ...outcome };
  },
  text: ({ command: typed, expands, name, expansion, problem, fix }) =>
    expands
      ? `${typed} is /${name} and expands to:\n\n${expansion}`
      : `${typed} does not expand: ${problem}\n${fix ?? ''}`,
});

/** Slash commands. */
export const commandTools: readonly Tool[] = [
  executeCommand,
  getCommandOutput,
  listAvailableCommands,
  verifyCommandExpansion,
];
