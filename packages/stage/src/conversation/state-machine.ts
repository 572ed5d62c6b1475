import type { ConversationEvent, EventOf, EventType } from '@understudy/agents';
import { UnderstudyError } from '@understudy/kit';
import type { StageTransition } from './workflow/progress.js';

/** The five states of a conversation, with what each knows. */
export type ConversationState =
  | { name: 'IDLE' }
  /** Ready for a prompt; once one is given, it waits for the agent. */
  | { name: 'USER_PROMPT'; prompt?: { text: string; id: string; at: string } }
  | { name: 'AGENT_RESPONDING'; response: Response }
  | {
      name: 'COMMAND_EXECUTING';
      command: { name: string; args: string; executionId: string; startedAt: string };
      response: Response;
    }
  | {
      name: 'WORKFLOW_TRANSITION';
      transition: { from: string; to: string; at: string; trigger: string };
      response: Response;
    };

export type StateName = ConversationState['name'];

/** What the agent has said and done in the turn so far. */
export interface Response {
  /** The prompt that it answers. */
  id: string;
  text: string;
  toolCalls: { id: string; tool: string; done: boolean }[];
  /** The share of its tool calls that have ended; 1 when the turn has. */
  progress: number;
}

/** Which states may follow which. Ending a conversation is possible from all of them. */
export const transitions: Readonly<Record<StateName, readonly StateName[]>> = {
  IDLE: ['USER_PROMPT'],
  USER_PROMPT: ['USER_PROMPT', 'AGENT_RESPONDING', 'IDLE'],
  AGENT_RESPONDING: ['AGENT_RESPONDING', 'WORKFLOW_TRANSITION', 'COMMAND_EXECUTING', 'USER_PROMPT', 'IDLE'],
  COMMAND_EXECUTING: ['AGENT_RESPONDING', 'IDLE'],
  WORKFLOW_TRANSITION: ['AGENT_RESPONDING', 'USER_PROMPT', 'IDLE'],
};

/** What a test may do in each state, by the names of the MCP tools. */
export type Action =
  | 'start_conversation'
  | 'send_prompt'
  | 'execute_command'
  | 'end_conversation'
  | 'get_response'
  | 'get_command_output'
  | 'verify_agent_transition'
  | 'get_workflow_stage';

/** The actions that are allowed now. A prompt can only be sent when none is under way. */
export function allowedActions(state: ConversationState): readonly Action[] {
  switch (state.name) {
    case 'IDLE':
      return ['start_conversation'];
    case 'USER_PROMPT':
      return state.prompt === undefined
        ? ['send_prompt', 'execute_command', 'verify_agent_transition', 'get_workflow_stage', 'end_conversation']
        : ['get_response', 'end_conversation'];
    case 'AGENT_RESPONDING':
      return ['get_response', 'end_conversation'];
    case 'COMMAND_EXECUTING':
      return ['get_command_output', 'end_conversation'];
    case 'WORKFLOW_TRANSITION':
      return ['get_response', 'get_workflow_stage', 'end_conversation'];
  }
}

/**
 * The states that an event leads through, in order; none when it changes nothing. `moved` is the
 * stage change that the same event caused. A change that the machine does not allow throws.
 */
export function nextStates(
  state: ConversationState,
  event: ConversationEvent,
  moved?: StageTransition,
): ConversationState[] {
  const path: ConversationState[] = [];
  const go = (next: ConversationState) => {
    assertAllowed(path.at(-1) ?? state, next, event);
    path.push(next);
  };
  const now = () => path.at(-1) ?? state;

  if (event.type === 'session_ended') {
    if (state.name !== 'IDLE') go({ name: 'IDLE' });
    return path;
  }
  if (moved !== undefined) enterTransition(event, moved, now, go);
  switch (event.type) {
    case 'session':
      if (state.name === 'IDLE') go({ name: 'USER_PROMPT' });
      break;
    case 'prompt':
      takePrompt(now(), event, go);
      break;
    case 'command':
      executeCommand(now(), event, go);
      break;
    case 'text':
    case 'thinking':
    case 'tool_call':
    case 'tool_result':
      go({ name: 'AGENT_RESPONDING', response: grown(responseOf(now(), event), event) });
      break;
    case 'turn_ended':
      endTurn(now(), event, go);
      break;
    default:
      break;
  }
  return path;
}

function takePrompt(state: ConversationState, event: EventOf<'prompt'>, go: (next: ConversationState) => void): void {
  if (state.name !== 'USER_PROMPT' || state.prompt !== undefined) throw illegal(state, 'USER_PROMPT', event);
  go({ name: 'USER_PROMPT', prompt: { text: event.text, id: event.id, at: event.at } });
}

/** A command is recognized by the agent, so the agent responds before it executes. */
function executeCommand(
  state: ConversationState,
  event: EventOf<'command'>,
  go: (next: ConversationState) => void,
): void {
  const response = responseOf(state, event);
  if (state.name !== 'AGENT_RESPONDING') go({ name: 'AGENT_RESPONDING', response });
  if (event.status === 'unknown') return;
  const { name, args } = event;
  const command = { name, args, executionId: `${response.id}/${name}`, startedAt: event.at };
  go({ name: 'COMMAND_EXECUTING', command, response });
}

function enterTransition(
  event: ConversationEvent,
  moved: StageTransition,
  now: () => ConversationState,
  go: (next: ConversationState) => void,
): void {
  const response = responseOf(now(), event);
  if (now().name !== 'AGENT_RESPONDING') go({ name: 'AGENT_RESPONDING', response });
  const { from, to, at, trigger } = moved;
  go({ name: 'WORKFLOW_TRANSITION', transition: { from, to, at, trigger }, response });
  if (event.type !== 'turn_ended') go({ name: 'AGENT_RESPONDING', response });
}

function endTurn(state: ConversationState, event: EventOf<'turn_ended'>, go: (next: ConversationState) => void): void {
  // A prompt that was refused or withdrawn before the agent began leads straight back.
  if (state.name === 'USER_PROMPT' && state.prompt === undefined) throw illegal(state, 'USER_PROMPT', event);
  if (state.name === 'COMMAND_EXECUTING') go({ name: 'AGENT_RESPONDING', response: state.response });
  go({ name: 'USER_PROMPT' });
}

function responseOf(state: ConversationState, event: ConversationEvent): Response {
  if (state.name === 'IDLE') throw illegal(state, 'AGENT_RESPONDING', event);
  if (state.name !== 'USER_PROMPT') return state.response;
  if (state.prompt === undefined) throw illegal(state, 'AGENT_RESPONDING', event);
  return { id: state.prompt.id, text: '', toolCalls: [], progress: 0 };
}

function grown(response: Response, event: ConversationEvent): Response {
  switch (event.type) {
    case 'text':
      if (event.parent !== undefined) return response;
      return { ...response, text: response.text === '' ? event.text : `${response.text}\n${event.text}` };
    case 'tool_call':
      return withCalls(response, [...response.toolCalls, { id: event.id, tool: event.tool, done: false }]);
    case 'tool_result':
      return withCalls(
        response,
        response.toolCalls.map((call) => (call.id === event.id ? { ...call, done: true } : call)),
      );
    default:
      return response;
  }
}

function withCalls(response: Response, toolCalls: Response['toolCalls']): Response {
  const done = toolCalls.filter((call) => call.done).length;
  return { ...response, toolCalls, progress: toolCalls.length === 0 ? 0 : done / toolCalls.length };
}

function assertAllowed(from: ConversationState, to: ConversationState, event: ConversationEvent): void {
  if (!transitions[from.name].includes(to.name)) throw illegal(from, to.name, event);
}

function illegal(from: ConversationState, to: StateName, event: ConversationEvent): UnderstudyError {
  const isIdle = from.name === 'IDLE' || (from.name === 'USER_PROMPT' && from.prompt === undefined);
  if (isIdle && AGENT_EVENTS.has(event.type)) return outOfTurn(event);
  return new UnderstudyError(
    'CONVERSATION_ILLEGAL_TRANSITION',
    `event ${event.seq} (${event.type}) leads from ${from.name} to ${to}, which is not allowed`,
    { fix: 'This is a fault in a driver, or a log that was changed. The log is kept; please report it.' },
  );
}

/** What an agent only says or does when it was asked. */
const AGENT_EVENTS = new Set<string>(['command', 'text', 'thinking', 'tool_call', 'tool_result'] satisfies EventType[]);

/** Anything that reaches the CLI's standard output can write into its stream: a tool, a hook, what runs in the background. */
function outOfTurn(event: ConversationEvent): UnderstudyError {
  const what = event.type.replace('_', ' ');
  const said = ('text' in event ? event.text : 'tool' in event ? event.tool : undefined) ?? '';
  const quoted = said === '' ? '' : ` (${JSON.stringify(said.slice(0, 200))})`;
  return new UnderstudyError(
    'AGENT_OUT_OF_TURN',
    `a ${what} of the agent${quoted} came while no prompt was under way, so its output is not what the CLI alone writes`,
    {
      fix: 'Find what else writes to the standard output of the CLI: a tool, a hook or a background process. What came before it stands in events.jsonl.',
    },
  );
}
