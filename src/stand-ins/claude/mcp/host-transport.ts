import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isObject, type JsonObject } from '../../../document/json.js';
import type { Host } from '../output/host.js';

/** Connects to an MCP server in the host's program, over the control channel. */
export class HostTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #host: Host;
  readonly #server: string;

  constructor(host: Host, server: string) {
    this.#host = host;
    this.#server = server;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    const answer = await this.#host.ask({
      subtype: 'mcp_message',
      server_name: this.#server,
      message: message as unknown as JsonObject,
    });
    const response = isObject(answer) ? answer['mcp_response'] : undefined;
    // A notification is acknowledged, not answered.
    if ('id' in message && isObject(response)) this.onmessage?.(response as unknown as JSONRPCMessage);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}
