import { defined, UnderstudyError } from '@understudy/kit';
import { toToolResult } from '@understudy/stage';
import type { Harness } from '../harness.js';

export interface MockOptions {
  tool: string;
  response: Record<string, unknown>;
  server?: string;
  replace: boolean;
}

/** Registers a mock. True when there are conversations already that look through proxies and see it at once. */
export function registerMock(harness: Harness, { tool, response, server, replace }: MockOptions): boolean {
  if (replace && server === undefined) {
    throw new UnderstudyError('MCP_MOCK_WHICH_SERVER', '`replace` needs `server_name`', {
      fix: 'Give server_name, or leave replace out.',
    });
  }
  const had = harness.mocks.all.length > 0;
  harness.mocks.add({ tool, replace, result: toToolResult(response), ...defined({ server }) });
  return had && harness.conversations.living.length > 0;
}
