import { defined } from '@understudy/kit';
import * as z from 'zod';
import { additive, defineTool, readOnly, type Tool } from '../tool.js';
import { sessionId } from './conversations.js';
import { isolation, tried, triedText } from './isolation.js';

const listActiveHooks = defineTool({
  name: 'list_active_hooks',
  title: 'List the hooks that are wired',
  description: 'The hooks of a conversation; without one, those that the installed plugins declare.',
  annotations: readOnly,
  input: z.strictObject({ session_id: sessionId.optional() }),
  output: z.object({
    hooks: z.array(
      z.object({
        hook_name: z.string(),
        event: z.string(),
        matcher: z.string(),
        type: z.string(),
        command: z.string(),
        plugin: z.string().optional(),
        told_by: z.enum(['cli', 'files']).describe('the CLI, or the plugin’s files'),
      }),
    ),
  }),
  async run({ session_id }, context) {
    const { activeHooks } = await import('../harness/hooks.js');
    const hooks = await activeHooks(await context.harness(), session_id);
    return { hooks: hooks.map(({ name, reportedBy, ...rest }) => ({ hook_name: name, ...rest, told_by: reportedBy })) };
  },
  text: ({ hooks }) =>
    hooks.length === 0
      ? 'No hook is wired'
      : hooks.map(({ hook_name, plugin, command }) => `${hook_name} (${plugin ?? 'settings'}): ${command}`).join('\n'),
});

const triggerHook = defineTool({
  name: 'trigger_hook',
  title: 'Run a hook',
  description:
    'Runs the hooks of an event as the CLI would, and reports exit code, output, and what the CLI would make of them. Fields of the payload replace realistic ones.',
  annotations: { ...additive, openWorldHint: true },
  input: z.strictObject({
    hook_name: z.string().min(1).describe('"PreToolUse" or "PreToolUse:Write"'),
    payload: z.record(z.string(), z.unknown()).default({}).describe('fields such as tool_input or prompt'),
    plugin: z.string().optional().describe('the name or the folder of a plugin'),
    session_id: sessionId.optional().describe('with the plugins and project of this conversation'),
    isolation,
  }),
  output: z.object({
    fired: z.array(
      z.object({
        event: z.string(),
        matcher: z.string(),
        command: z.string(),
        exit_code: z.number(),
        stdout: z.string(),
        stderr: z.string(),
        outcome: z.string(),
        decision: z.string(),
        blocked: z.boolean(),
        reason: z.string().optional(),
        problem: z.string().optional().describe('Why the CLI cannot use what it said'),
        milliseconds: z.number(),
        tried,
      }),
    ),
    passed_over: z.array(z.object({ command: z.string(), matcher: z.string(), reason: z.string() })),
    blocked: z.boolean(),
    isolation: z.string().optional().describe('how far the hooks were kept apart from this machine'),
  }),
  async run({ hook_name, payload, plugin, session_id, isolation: level }, context) {
    const hooks = await import('../harness/hooks.js');
    const events = await hooks.triggerHook(await context.harness(), {
      name: hook_name,
      payload,
      ...defined({ plugin, sessionId: session_id, isolation: level }),
    });
    const fired = events.flatMap((event) => event.fired);
    return {
      fired: fired.map((hook) => ({
        event: hook.event,
        matcher: hook.matcher,
        command: hook.command,
        exit_code: hook.exitCode,
        stdout: hook.stdout,
        stderr: hook.stderr,
        outcome: hook.outcome,
        decision: hook.decision,
        blocked: hook.blocked,
        ...defined({ reason: hook.reason, problem: hook.problem }),
        milliseconds: hook.milliseconds,
        tried: hook.tried ?? [],
      })),
      passed_over: events.flatMap(({ passedOver }) => passedOver),
      blocked: fired.some(({ blocked }) => blocked),
      ...defined({ isolation: events[0]?.isolation.level }),
    };
  },
  text: ({ fired, passed_over }) =>
    [
      ...fired.flatMap(({ event, command, exit_code, decision, reason, problem, tried: outside }) => [
        `${event}: ${command} ended with ${exit_code}, decision ${decision}${reason === undefined ? '' : ` (${reason})`}${problem === undefined ? '' : `: ${problem}`}`,
        ...outside.map(triedText),
      ]),
      ...passed_over.map(({ command, reason }) => `did not run: ${command}, because ${reason}`),
    ].join('\n'),
});

const getHookExecutionLog = defineTool({
  name: 'get_hook_execution_log',
  title: 'Read what hooks did',
  description: 'Every run of a hook in this session, with its stdin.',
  annotations: readOnly,
  input: z.strictObject({
    hook_name: z.string().optional().describe('"PreToolUse" or "PreToolUse:Write"; absent: all'),
    session_id: sessionId.optional(),
  }),
  output: z.object({
    runs: z.array(
      z.object({
        hook_name: z.string(),
        event: z.string(),
        command: z.string().optional(),
        exit_code: z.number().optional(),
        outcome: z.string(),
        decision: z.string(),
        blocked: z.boolean(),
        reason: z.string().optional(),
        stdin: z.string().optional().describe('the payload that it got'),
        stdout: z.string(),
        stderr: z.string(),
        session_id: z.string().optional().describe('absent: it was run by trigger_hook'),
        turn: z.number().optional(),
      }),
    ),
  }),
  async run({ hook_name, session_id }, context) {
    const { hookRuns } = await import('../harness/hook-log.js');
    const runs = hookRuns(await context.harness(), hook_name, session_id);
    return {
      runs: runs.map(({ name, exitCode, sessionId: session, ...rest }) => ({
        hook_name: name,
        ...rest,
        ...defined({ exit_code: exitCode, session_id: session }),
      })),
    };
  },
  text: ({ runs }) =>
    runs.length === 0
      ? 'No hook has run'
      : runs
          .map(
            ({ hook_name, blocked, outcome, exit_code, stderr, stdout }) =>
              `${hook_name} ${blocked ? 'blocked' : outcome}${exit_code === undefined ? '' : ` (exit ${exit_code})`}: ${(stderr || stdout).trim()}`,
          )
          .join('\n'),
});

const verifyHookBlockedAction = defineTool({
  name: 'verify_hook_blocked_action',
  title: 'Verify that a hook blocked something',
  description: 'Whether a hook blocked an action. A denied permission is not a blocking hook.',
  annotations: readOnly,
  input: z.strictObject({
    action_id: z.string().min(1).describe('an id of tools_used, or a response_id'),
    session_id: sessionId.optional(),
  }),
  output: z.object({
    action_id: z.string(),
    blocked: z.boolean(),
    action: z.string(),
    status: z.string(),
    hook_name: z.string().optional(),
    reason: z.string().optional(),
    session_id: z.string(),
  }),
  async run({ action_id, session_id }, context) {
    const { blockedAction } = await import('../harness/hook-log.js');
    const { hook, sessionId: session, ...rest } = blockedAction(await context.harness(), action_id, session_id);
    return { action_id, ...rest, ...defined({ hook_name: hook }), session_id: session };
  },
  text: ({ blocked, action, hook_name, reason, status }) =>
    blocked
      ? `${hook_name ?? 'A hook'} blocked ${action}${reason === undefined ? '' : `: ${reason}`}`
      : `No hook blocked ${action}; it ended as ${status}`,
});

/** Hooks: which are there, what they do, what they did. */
export const hookTools: readonly Tool[] = [listActiveHooks, triggerHook, getHookExecutionLog, verifyHookBlockedAction];
