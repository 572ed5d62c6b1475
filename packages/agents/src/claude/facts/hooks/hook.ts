import type { JsonObject } from '@understudy/kit';
import type { AskingKind } from '../../client/hook-question.js';
import type { PluginOrigin } from '../plugin-origin.js';
import type { HookEventName } from './events.js';

/** Where a hook was written. */
export type HookSource = 'userSettings' | 'projectSettings' | 'localSettings' | 'flagSettings' | 'plugin' | 'sdk';

/** A hook that asks a model. */
export interface AskingHook {
  type: AskingKind;
  prompt: string;
  model?: string;
  /** Its objection does not end the turn. */
  continueOnBlock?: true;
}

/** A function of the host's program, for the Agent SDK. */
export interface HostHook {
  type: 'callback';
  id: string;
  /** Its failure objects. */
  blocksOnFailure?: true;
}

/** One hook that could fire. */
export interface Hook {
  event: HookEventName;
  matcher: string;
  /** A permission rule that a use of a tool must meet, as in `Bash(git *)`. */
  condition?: string;
  source: HookSource;
  /** A shell command, or with `args` a program; a question to a model; for the Agent SDK, a callback of the host. */
  run:
    | { type: 'command'; command: string; args?: readonly string[] }
    | AskingHook
    | HostHook
    /** What posts its payload to a server, or calls a tool of one: nobody here does that. */
    | { type: 'http'; url: string }
    | { type: 'mcp_tool'; server: string; tool: string };
  timeoutMs?: number;
  /** The CLI does not wait for it. */
  background?: true;
  /** It wakes the agent when it ends with exit code 2. */
  rewake?: true;
  /** The plugin that it comes from. */
  plugin?: PluginOrigin;
}

/** What a hook is given on its stdin. */
export interface HookInput {
  hook_event_name: HookEventName;
  session_id: string;
  transcript_path: string;
  cwd: string;
  [field: string]: unknown;
}

/** How one hook ended. */
export interface HookRun {
  hook: Hook;
  stdout: string;
  stderr: string;
  exitCode: number;
  outcome: 'success' | 'error' | 'cancelled';
  durationMs: number;
  /** The CLI could not use what it said, and says why in `stderr`. */
  hasWrongOutput?: true;
  /** What the host receives of it, where that is something else. */
  reported?: { output?: string; stdout?: string; stderr?: string; exitCode?: number | undefined };
  /** Nobody waits for it: how it ends is not known yet. */
  inBackground?: true;
  /** What a callback of the host answered; commands answer on stdout. */
  answer?: JsonObject;
  /** Why it objects, though it has not judged. */
  noVerdict?: 'hook_failed' | 'callback_timed_out';
  /** The event cannot go on as it should. */
  fault?: string;
}
