import { defined } from '@understudy/kit';
import type { EventBody, EventBodyOf } from '../events.js';
import { readCommandTags } from './client/command-tags.js';
import { judgeHook, objectionOf } from './facts/hooks/judgment.js';
import { hookQuestionEvents } from './hook-question-events.js';
import { toolResultEvent } from './tool-result.js';
import {
  assistantSchema,
  type ClaudeResult,
  hookQuestionSchema,
  hookResponseSchema,
  hookStartedSchema,
  informationalSchema,
  initSchema,
  knownBlocks,
  resultSchema,
  retrySchema,
  stateChangedSchema,
  systemSchema,
  taskNotificationSchema,
  taskStartedSchema,
  tasksChangedSchema,
  userSchema,
} from './wire.js';

/** What a turn has shown so far, beside its events. */
export interface TurnSeen {
  /** The result of the user's own turn; results of background notifications are not it. */
  result?: ClaudeResult;
  /** Why a hook refused the prompt. */
  promptBlocked?: string;
  /** The CLI says when it is really done; old ones do not. */
  tellsState: boolean;
  idle: boolean;
  /** The command that the CLI says it ran, from the replayed prompt. */
  expandedCommand?: string;
  /** What a subagent was asked that runs the command. */
  forkedTo?: string | undefined;
  /** The prompt came back as plain text. */
  replayed: boolean;
  /** What came back is what a command of the CLI itself has printed. */
  printedLocally: boolean;
  /** Texts that the CLI itself wrote in the model's place. */
  synthetic: string[];
  reset: boolean;
}

/** Turns what Claude Code writes into events, one line at a time, and remembers the turn. */
export class ClaudeTranslator {
  readonly #stage: string;
  readonly #tools = new Map<string, string>();
  /** Why PreToolUse hooks of this turn blocked, by the tool. */
  readonly #blockReasons = new Map<string, string[]>();
  /** Calls that the test denied: the CLI reports their end like any error. */
  readonly deniedCalls = new Set<string>();
  seen: TurnSeen = newTurn();
  /** Something has been at work in the background: a result may then not be the last word. */
  hadBackgroundWork = false;
  /** Something works in the background now. */
  hasBackgroundWork = false;

  constructor(stage: string) {
    this.#stage = stage;
  }

  beginTurn(): void {
    this.seen = newTurn();
    this.#blockReasons.clear();
  }

  translate(line: unknown): EventBody[] {
    const type = (line as { type?: unknown } | null)?.type;
    switch (type) {
      case 'assistant':
        return this.#assistant(line);
      case 'user':
        return this.#user(line);
      case 'system':
        return this.#system(line);
      case 'result':
        return this.#result(line);
      case 'conversation_reset':
        this.seen.reset = true;
        return [{ type: 'notice', level: 'info', text: 'the conversation was reset' }];
      case 'command_lifecycle':
      case 'keep_alive':
        return [];
      default:
        return [{ type: 'unknown', kind: String(type), data: line }];
    }
  }

  #assistant(line: unknown): EventBody[] {
    const parsed = assistantSchema.safeParse(line);
    if (!parsed.success) return [{ type: 'unknown', kind: 'assistant', data: line }];
    const { message, parent_tool_use_id, subagent_type } = parsed.data;
    const by = {
      ...(parent_tool_use_id ? { parent: parent_tool_use_id } : {}),
      ...defined({ agent: subagent_type }),
    };
    return knownBlocks(message.content).flatMap((block): EventBody[] => {
      switch (block.type) {
        case 'text':
          if (message.model === '<synthetic>') this.seen.synthetic.push(block.text);
          return [{ type: 'text', text: block.text, ...by }];
        case 'thinking':
          return [{ type: 'thinking', text: block.thinking, ...by }];
        case 'tool_use':
          this.#tools.set(block.id, block.name);
          return [{ type: 'tool_call', id: block.id, tool: block.name, input: block.input, ...by }];
        default:
          return [];
      }
    });
  }

  #user(line: unknown): EventBody[] {
    const parsed = userSchema.safeParse(line);
    if (!parsed.success) return [{ type: 'unknown', kind: 'user', data: line }];
    const message = parsed.data;
    if (message.isReplay === true) {
      const text = knownBlocks(message.message.content)
        .map((block) => (block.type === 'text' ? block.text : ''))
        .join('\n');
      const command = readCommandTags(text)?.name;
      if (command !== undefined) this.seen.expandedCommand = command;
      if (/^<local-command-std(?:out|err)>/.test(text)) this.seen.printedLocally = true;
      else this.seen.replayed = true;
      return [];
    }
    return knownBlocks(message.message.content).flatMap((block) => {
      if (block.type !== 'tool_result') return [];
      const tool = this.#tools.get(block.tool_use_id) ?? 'unknown';
      const denied = this.deniedCalls.has(block.tool_use_id);
      const hookReasons = this.#blockReasons.get(tool) ?? [];
      return [toolResultEvent(block, message, { tool, denied, hookReasons })];
    });
  }

  #result(line: unknown): EventBody[] {
    const parsed = resultSchema.safeParse(line);
    if (!parsed.success) return [{ type: 'unknown', kind: 'result', data: line }];
    if (parsed.data.origin === undefined) this.seen.result = parsed.data;
    return [];
  }

  #system(line: unknown): EventBody[] {
    const parsed = systemSchema.safeParse(line);
    if (!parsed.success) return [{ type: 'unknown', kind: 'system', data: line }];
    const { subtype } = parsed.data;
    const events = this.#systemEvents(subtype, line);
    return events ?? [{ type: 'unknown', kind: `system/${subtype}`, data: line }];
  }

  /** Nothing when the subtype is unknown or is not shaped as we know it. */
  #systemEvents(subtype: string, line: unknown): EventBody[] | undefined {
    switch (subtype) {
      case 'init':
        return this.#init(line);
      case 'hook_started': {
        const hook = hookStartedSchema.safeParse(line).data;
        return hook && [{ type: 'hook_started', id: hook.hook_id, name: hook.hook_name, event: hook.hook_event }];
      }
      case 'hook_response':
        return this.#hookFinished(line);
      case 'understudy_hook': {
        const asked = hookQuestionSchema.safeParse(line).data;
        return asked && hookQuestionEvents({ ...asked, event: asked.payload.hook_event_name }, asked.answer);
      }
      case 'task_started': {
        const task = taskStartedSchema.safeParse(line).data;
        if (task === undefined || task.subagent_type === undefined) return undefined;
        this.hadBackgroundWork ||= task.is_backgrounded ?? false;
        // Nobody called it: it plays the command of the user.
        if (task.ambient === true && task.tool_use_id === undefined && task.description?.startsWith('/')) {
          this.seen.expandedCommand = task.description.slice(1);
          this.seen.forkedTo = task.prompt;
        }
        return [
          {
            type: 'subagent_started',
            id: task.task_id,
            agent: task.subagent_type,
            background: task.is_backgrounded ?? false,
            ...defined({ prompt: task.prompt, callId: task.tool_use_id }),
          },
        ];
      }
      case 'task_notification': {
        const task = taskNotificationSchema.safeParse(line).data;
        return (
          task && [
            {
              type: 'subagent_finished',
              id: task.task_id,
              status: task.status,
              ...defined({ summary: task.summary }),
            },
          ]
        );
      }
      case 'session_state_changed': {
        const state = stateChangedSchema.safeParse(line).data?.state;
        this.seen.tellsState = true;
        this.seen.idle = state === 'idle';
        return [];
      }
      case 'api_retry': {
        const retry = retrySchema.safeParse(line).data;
        const status = retry?.error_status ?? retry?.error;
        return (
          retry && [
            { type: 'retry', attempt: retry.attempt, message: status === undefined ? 'no answer' : String(status) },
          ]
        );
      }
      case 'informational':
        return this.#informational(line);
      case 'background_tasks_changed':
        this.hadBackgroundWork = true;
        this.hasBackgroundWork = (tasksChangedSchema.safeParse(line).data?.tasks.length ?? 0) > 0;
        return [];
      case 'compact_boundary':
        return [{ type: 'notice', level: 'info', text: 'the conversation was compacted' }];
      case 'status':
      case 'task_updated':
      case 'task_progress':
      case 'hook_progress':
        return [];
      default:
        return undefined;
    }
  }

  #informational(line: unknown): EventBody[] | undefined {
    const notice = informationalSchema.safeParse(line).data;
    if (notice === undefined) return undefined;
    if (notice.prompt_submit_outcome?.kind === 'blocked_by_hook') {
      this.seen.promptBlocked = notice.prompt_submit_outcome.reason ?? notice.content;
    }
    // A hook that keeps a command from expanding is reported in words alone.
    if (notice.content.startsWith('UserPromptExpansion operation blocked by hook')) {
      this.seen.promptBlocked = notice.content;
    }
    const level = notice.level === 'warning' || notice.level === 'error' ? notice.level : 'info';
    return [{ type: 'notice', level, text: notice.content }];
  }

  #hookFinished(line: unknown): EventBody[] | undefined {
    const hook = hookResponseSchema.safeParse(line).data;
    if (hook === undefined) return undefined;
    const { hook_event: event, stdout = '', stderr = '', exit_code: exitCode = 0, outcome = 'success' } = hook;
    const ended = outcome === 'cancelled' || outcome === 'error' ? outcome : 'success';
    const run = { event, label: '', stdout, stderr, exitCode, outcome: ended } as const;
    const { blocked, reason } = judgeHook(run);
    if (blocked && reason !== undefined && event === 'PreToolUse') {
      const tool = hook.hook_name.slice(`${event}:`.length);
      this.#blockReasons.set(tool, [...(this.#blockReasons.get(tool) ?? []), reason]);
    }
    return [
      {
        type: 'hook_finished',
        id: hook.hook_id,
        name: hook.hook_name,
        event,
        stdout,
        stderr,
        ...(hook.exit_code === undefined ? {} : { exitCode }),
        outcome,
        blocked,
        ...defined({ reason: objectionOf(run) }),
      },
    ];
  }

  #init(line: unknown): EventBody[] | undefined {
    const init = initSchema.safeParse(line).data;
    if (init === undefined) return undefined;
    const session: EventBodyOf<'session'> = {
      type: 'session',
      agent: 'claude',
      stage: this.#stage,
      sessionId: init.session_id,
      cwd: init.cwd,
      tools: init.tools ?? [],
      commands: init.slash_commands ?? [],
      agents: init.agents ?? [],
      skills: init.skills ?? [],
      plugins: (init.plugins ?? []).map(({ name, path, version }) => ({
        name,
        ...defined({ path, version }),
      })),
      pluginErrors: (init.plugin_errors ?? []).map(({ plugin, message, type }) => ({
        plugin,
        message,
        ...defined({ kind: type }),
      })),
      mcpServers: (init.mcp_servers ?? []).map(({ name, status }) => ({ name, status })),
      ...defined({ version: init.claude_code_version, model: init.model, mode: init.permissionMode }),
    };
    return [session];
  }
}

function newTurn(): TurnSeen {
  return { tellsState: false, idle: false, replayed: false, printedLocally: false, synthetic: [], reset: false };
}
