/** An error in the form that clients of JSON-RPC expect, before there is a message to answer. */
export function rpcError(status: number, code: number, message: string, data?: Record<string, unknown>): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message, ...(data && { data }) }, id: null }, { status });
}
