import { isObject, type JsonObject } from '@understudy/kit';
import type { Channel, ChannelEnds } from '../../shared/mcp/peer.js';
import type { Host } from '../output/host.js';

/** An MCP server in the host's program, over the control channel. */
export class HostChannel implements Channel {
  readonly #host: Host;
  readonly #server: string;
  #ends: ChannelEnds | undefined;

  constructor(host: Host, server: string) {
    this.#host = host;
    this.#server = server;
  }

  async open(ends: ChannelEnds): Promise<void> {
    this.#ends = ends;
  }

  async send(message: JsonObject): Promise<void> {
    const answer = await this.#host.ask({ subtype: 'mcp_message', server_name: this.#server, message });
    const response = isObject(answer) ? answer['mcp_response'] : undefined;
    // A notification is acknowledged, not answered.
    if ('id' in message && isObject(response)) this.#ends?.received(response);
  }

  async close(): Promise<void> {}
}
