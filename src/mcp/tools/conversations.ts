import { agentNames, stages } from '@understudy/agents';
import { countOf, defined } from '@understudy/kit';
import * as z from 'zod';
import { additive, defineTool, destructive, readOnly, type Tool } from '../tool.js';
import { isolation } from './isolation.js';
import { describeReply, replyOutput, replyText, waitForReply } from './reply-output.js';
import { writtenServerConfig } from './written-server-config.js';

/** Below the minute after which most clients give a request up. */
const WAIT_MS = 50_000;

export const sessionId = z.string().describe('from start_conversation');

/** All that most scenarios need. */
const EXAMPLE = JSON.stringify({
  responses: [
    { pattern: { type: 'command', name: 'my:explore' }, response: 'Small. Next, run /plan.' },
    {
      pattern: { type: 'contains', text: 'run the tests' },
      response: {
        text: 'Running.',
        tool_calls: [{ tool: 'Bash', input: { command: 'npm test' } }],
        then: [
          { expect: { type: 'regex', pattern: '(\\d+) failed' }, response: '{{1}} fail.' },
          { response: 'All green.' },
        ],
      },
    },
  ],
  default_response: 'Done.',
});

const conversationConfig = z.strictObject({
  agent: z
    .string()
    .optional()
    .describe(`"claude" (default), "claude@2.1.325", ${agentNames.filter((name) => name !== 'claude').join(', ')}`),
  stage: z
    .enum(stages)
    .optional()
    .describe(
      'scripted (default): the real CLI, scripted model; sim: a stand-in CLI; replay: the real CLI, a recording; live: the real model',
    ),
  cassette: z
    .string()
    .optional()
    .describe('the recording: a file that is played on replay, or that is written on live with record'),
  record: z.boolean().optional().describe('on live: write what the model says to the cassette'),
  from_turn: z
    .int()
    .positive()
    .optional()
    .describe('on replay: from this turn on, the scenario answers instead of the recording'),
  scenario: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .describe('what the model says: a file, or the document itself'),
  project: z.string().optional().describe('a folder; absent: an empty one'),
  plugins: z.array(z.string()).optional().describe('folders, besides the installed ones'),
  workflow: z.string().optional().describe('agent-loop, epti, visual-iteration, or a file'),
  permissions: z.enum(['allow', 'deny']).optional().describe('when a tool asks; default allow'),
  isolation,
  mcp_servers: z.record(z.string(), writtenServerConfig).optional().describe('as in a .mcp.json'),
  model: z.string().optional(),
  turn_timeout_ms: z.int().positive().optional(),
});

const startConversation = defineTool({
  name: 'start_conversation',
  title: 'Start a conversation with an agent',
  description: `Starts an agent CLI in a home of its own. The scenario says what the model answers to each prompt. Without then, tools run first and text closes the turn; with then, text comes first, and then answers the results. Example:\n${EXAMPLE}`,
  annotations: additive,
  input: z.strictObject({ config: conversationConfig.default({}) }),
  output: z.object({
    session_id: z.string(),
    agent: z.string(),
    stage: z.string(),
    project_path: z.string(),
    plugins: z.array(z.string()),
    commands: z.array(z.string()).describe('slash commands that the CLI has reported so far'),
    workflow_stage: z.string().optional(),
  }),
  async run({ config }, context) {
    const { mcp_servers, turn_timeout_ms, from_turn, ...wish } = config;
    const harness = await context.harness();
    const held = await harness.startConversation({
      ...{ ...wish, mcpServers: mcp_servers, turnMs: turn_timeout_ms, fromTurn: from_turn },
    });
    if (context.signal.aborted) await held.end('the client cancelled its request');
    const { session, workflow } = held.conversation.snapshot();
    return {
      session_id: held.id,
      agent: session.version === undefined ? held.facts.agent : `${session.agent}@${session.version}`,
      stage: held.facts.stage,
      project_path: held.facts.project,
      plugins: [...held.facts.plugins],
      commands: session.commands,
      ...defined({ workflow_stage: workflow?.label }),
    };
  },
  text: ({ session_id, agent, stage, project_path }) => `${session_id}: ${agent} (${stage}) in ${project_path}`,
  links: ({ session_id }) => [
    { uri: `understudy://conversations/${session_id}/transcript`, name: 'transcript', mimeType: 'text/markdown' },
  ],
});

const sendPrompt = defineTool({
  name: 'send_prompt',
  title: 'Say something to the agent',
  description: 'Sends a prompt and returns a response_id at once; get_response waits for the answer.',
  annotations: additive,
  input: z.strictObject({ prompt: z.string().min(1), session_id: sessionId }),
  output: z.object({ response_id: z.string(), session_id: z.string(), status: z.literal('running') }),
  async run({ prompt, session_id }, context) {
    const reply = (await context.harness()).conversations.find(session_id).send(prompt);
    return { response_id: reply.id, session_id, status: 'running' as const };
  },
  text: ({ response_id }) => `The agent is working. Wait with get_response("${response_id}").`,
});

const getResponse = defineTool({
  name: 'get_response',
  title: 'Get the answer of the agent',
  description: 'Waits for the end of a turn and gives its result. Cancelling the request stops the agent.',
  annotations: { ...readOnly, readOnlyHint: false, destructiveHint: false },
  input: z.strictObject({
    response_id: z.string().describe('from send_prompt'),
    wait: z.boolean().default(true),
    timeout_ms: z.int().min(0).max(3_600_000).default(WAIT_MS).describe('then it says "running"; ask again'),
  }),
  output: z.object({ response_id: z.string(), ...replyOutput }),
  async run({ response_id, wait, timeout_ms }, context) {
    const { held, reply } = (await context.harness()).conversations.findReply(response_id);
    if (wait) await waitForReply(held, reply, timeout_ms, context);
    return { response_id, ...describeReply(held, reply) };
  },
  text: replyText,
});

const getConversationHistory = defineTool({
  name: 'get_conversation_history',
  title: 'Read a conversation',
  description: 'Everything that was said and done in a conversation, in order, also after its end.',
  annotations: readOnly,
  input: z.strictObject({
    session_id: sessionId,
    since_turn: z.int().min(0).default(0).describe('from this turn on'),
  }),
  output: z.object({
    session_id: z.string(),
    state: z.string(),
    ended: z.string().optional().describe('why it ended'),
    turns: z.number(),
    entries: z.array(
      z.object({
        turn: z.number(),
        at: z.string(),
        role: z.enum(['user', 'agent', 'tool', 'hook', 'harness']),
        text: z.string(),
        id: z.string().optional(),
        name: z.string().optional(),
        status: z.string().optional(),
      }),
    ),
  }),
  async run({ session_id, since_turn }, context) {
    const held = (await context.harness()).conversations.find(session_id);
    const { historyOf } = await import('../harness/history.js');
    const { state, session } = held.conversation.snapshot();
    return {
      session_id,
      state: state.name,
      ...defined({ ended: held.ended }),
      turns: session.turns,
      entries: historyOf(held.events).filter(({ turn }) => turn >= since_turn),
    };
  },
  text: ({ entries, turns }) =>
    [
      countOf(turns, 'turn'),
      ...entries.map(({ turn, role, name, status, text }) =>
        [`${turn} ${role}`, name, status]
          .filter((part) => part !== undefined)
          .join(' ')
          .concat(`: ${text}`),
      ),
    ].join('\n'),
  links: ({ session_id }) => [
    { uri: `understudy://conversations/${session_id}/transcript`, name: 'transcript', mimeType: 'text/markdown' },
  ],
});

const endConversation = defineTool({
  name: 'end_conversation',
  title: 'End a conversation',
  description: 'Ends the agent and everything that it started. The history stays readable.',
  annotations: { ...destructive, idempotentHint: true },
  input: z.strictObject({ session_id: sessionId }),
  output: z.object({
    session_id: z.string(),
    ended: z.boolean(),
    turns: z.number(),
    unused_rules: z.array(z.string()),
    unanswered: z.array(z.string()).describe('what no rule of the scenario answered'),
  }),
  async run({ session_id }, context) {
    const held = (await context.harness()).conversations.find(session_id);
    const already = held.ended !== undefined;
    await held.end('end_conversation');
    const { unused = [], unmatched = [] } = held.conversation.scriptUsage() ?? {};
    return {
      session_id,
      ended: !already,
      turns: held.conversation.snapshot().session.turns,
      unused_rules: unused
        .filter(({ optional }) => !optional)
        .map(({ rulePath, pattern }) => `${rulePath} (${pattern})`),
      unanswered: unmatched.map(({ message }) => message),
    };
  },
  text: ({ ended, turns, unused_rules, unanswered }) =>
    [
      ended ? `Ended after ${countOf(turns, 'turn')}` : 'It had ended already',
      ...unused_rules.map((rule) => `this rule of the scenario was never used: ${rule}`),
      ...unanswered.map((message) => `no rule answered: ${message}`),
    ].join('\n'),
});

/** Talking to an agent. */
export const conversationTools: readonly Tool[] = [
  startConversation,
  sendPrompt,
  getResponse,
  getConversationHistory,
  endConversation,
];
