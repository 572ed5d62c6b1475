import type { JsonObject } from '@understudy/kit';

/** What the host answers in place of an answer. */
export class HostError extends Error {}

/** The program at the other end of the pipe, such as the Agent SDK. It answers requests and can hold MCP servers. */
export interface Host {
  ask(request: JsonObject, signal?: AbortSignal): Promise<unknown>;
  /** It can be asked no more. */
  readonly isClosed: boolean;
}
