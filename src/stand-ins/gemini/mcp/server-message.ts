import type { ServerError } from '../../shared/mcp/peer.js';

/** Why a request to a server failed, in the words of the real CLI. */
export function serverMessage({ code, message }: ServerError): string {
  if (typeof code === 'number') return `MCP error ${code}: ${message}`;
  return message === 'Request timed out' ? `MCP error -32001: ${message}` : `MCP error -32000: ${message}`;
}
