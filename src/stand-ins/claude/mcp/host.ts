import type { JsonObject } from '../../../document/json.js';

/** The program at the other end of the pipe, such as the Agent SDK. It answers requests and can hold MCP servers. */
export interface Host {
  ask(request: JsonObject, signal?: AbortSignal): Promise<JsonObject>;
}
