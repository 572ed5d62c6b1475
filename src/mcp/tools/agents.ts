import { defined, shorten } from '@understudy/kit';
import * as z from 'zod';
import { defineTool, readOnly, type Tool } from '../tool.js';
import { sessionId } from './conversations.js';

/** A system prompt is long; this much of each part is shown in the text, and all of it in the structure. */
const SHOWN = 300;

const getAgentMode = defineTool({
  name: 'get_agent_mode',
  title: 'See what mode the agent is in',
  description:
    'The permission mode, the agent that speaks (or its subagent), and the state of the conversation with the actions that it allows.',
  annotations: readOnly,
  input: z.strictObject({ session_id: sessionId }),
  output: z.object({
    session_id: z.string(),
    mode: z.string().optional().describe('the permission mode, once the CLI has reported it'),
    active_agent: z.string(),
    running_subagents: z.array(z.string()),
    model: z.string().optional(),
    state: z.string(),
    allowed_actions: z.array(z.string()),
  }),
  async run({ session_id }, context) {
    const held = (await context.harness()).conversations.find(session_id);
    const { runningSubagents } = await import('../harness/subagents.js');
    const { session, state, actions } = held.conversation.snapshot();
    const subagents = runningSubagents(held.events);
    return {
      session_id,
      ...defined({ mode: session.mode }),
      active_agent: subagents.at(-1) ?? session.agent ?? held.facts.agent,
      running_subagents: subagents,
      ...defined({ model: session.model }),
      state: state.name,
      allowed_actions: [...actions],
    };
  },
  text: ({ mode, active_agent, state }) => `${active_agent}, mode ${mode ?? 'not known yet'}, ${state}`,
});

const getAgentGuidance = defineTool({
  name: 'get_agent_guidance',
  title: 'Read the instructions that the agent received',
  description:
    'What the model was really told: system prompt, CLAUDE.md and other reminders, expansions of commands, prompts of subagents. Needs the scripted stage and a turn.',
  annotations: readOnly,
  input: z.strictObject({
    session_id: sessionId,
    source: z.enum(['system', 'reminder', 'memory', 'command', 'agent']).optional().describe('only this kind'),
    contains: z.string().optional().describe('only parts that contain this text'),
  }),
  output: z.object({
    session_id: z.string(),
    parts: z.array(z.object({ source: z.string(), name: z.string().optional(), text: z.string() })),
  }),
  async run({ session_id, source, contains }, context) {
    const held = (await context.harness()).conversations.find(session_id);
    const { guidanceOf } = await import('../harness/guidance.js');
    const parts = guidanceOf(held).filter(
      (part) =>
        (source === undefined || part.source === source) && (contains === undefined || part.text.includes(contains)),
    );
    return { session_id, parts };
  },
  text: ({ parts }) =>
    parts.length === 0
      ? 'Nothing of that kind was sent'
      : parts
          .map(({ source, name, text }) => {
            const shown = shorten(text, SHOWN, `… (${text.length} characters)`);
            return `[${source}${name === undefined ? '' : ` ${name}`}] ${shown}`;
          })
          .join('\n\n'),
});

const getWorkflowStage = defineTool({
  name: 'get_workflow_stage',
  title: 'See the stage of the workflow',
  description:
    'The workflow stage of the conversation, what is done and what remains in it, and moves that the workflow does not allow.',
  annotations: readOnly,
  input: z.strictObject({ session_id: sessionId }),
  output: z.object({
    session_id: z.string(),
    workflow: z.string(),
    workflow_stage: z.string(),
    iteration: z.number(),
    finished: z.boolean(),
    transitions: z.array(z.string()),
    invalid: z.array(z.string()),
    actions_done: z.array(z.string()),
    actions_remaining: z.array(z.string()),
  }),
  async run({ session_id }, context) {
    const { followedWorkflow } = await import('../harness/followed-workflow.js');
    const progress = followedWorkflow((await context.harness()).conversations.find(session_id));
    return {
      session_id,
      workflow: progress.workflow,
      workflow_stage: progress.label,
      iteration: progress.iteration,
      finished: progress.finished,
      transitions: progress.transitions.map(({ from, to, trigger }) => `${from} -> ${to} by ${trigger}`),
      invalid: progress.invalid.map(({ from, to, problem }) => problem ?? `${from} -> ${to}`),
      actions_done: progress.actionsDone,
      actions_remaining: progress.actionsRemaining,
    };
  },
  text: ({ workflow, workflow_stage, actions_remaining, invalid }) =>
    [
      `${workflow}: ${workflow_stage}`,
      ...(actions_remaining.length === 0 ? [] : [`to do: ${actions_remaining.join(', ')}`]),
      ...invalid.map((move) => `not allowed: ${move}`),
    ].join('\n'),
});

const verifyAgentTransition = defineTool({
  name: 'verify_agent_transition',
  title: 'Verify that the agent reached a stage',
  description: 'Checks that the last turn led to this stage (from from_stage), by a move that the workflow allows.',
  annotations: readOnly,
  input: z.strictObject({
    session_id: sessionId,
    expected_stage: z.string(),
    from_stage: z.string().optional(),
  }),
  output: z.object({
    session_id: z.string(),
    passed: z.boolean(),
    expected: z.string(),
    actual: z.string(),
    workflow_stage: z.string(),
    evidence: z.array(z.string()),
    suggestion: z.string().optional(),
  }),
  async run({ session_id, expected_stage, from_stage }, context) {
    const held = (await context.harness()).conversations.find(session_id);
    const { followedWorkflow } = await import('../harness/followed-workflow.js');
    const { hasPassed } = await import('@understudy/verdict');
    const { checkWorkflowStage } = await import('@understudy/verdict');
    const progress = followedWorkflow(held);
    const turn = held.conversation.snapshot().session.turns;
    const result = checkWorkflowStage(progress, turn, {
      ...{ to: expected_stage, from: from_stage },
      moves: 'some',
    });
    return {
      session_id,
      passed: hasPassed(result),
      expected: result.expected,
      actual: result.actual,
      workflow_stage: progress.label,
      evidence: result.evidence,
      ...defined({ suggestion: result.suggestion }),
    };
  },
  text: ({ passed, expected, actual, suggestion }) =>
    `${passed ? 'passed' : 'FAILED'}: expected ${expected}; ${actual}${suggestion === undefined ? '' : `\n${suggestion}`}`,
});

/** The agent's mode, its instructions, and its workflow stage. */
export const agentTools: readonly Tool[] = [getAgentMode, getAgentGuidance, getWorkflowStage, verifyAgentTransition];
