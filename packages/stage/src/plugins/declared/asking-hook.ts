import { isUnsupportedType } from '@understudy/agents';
import type { DeclaredHook, DeclaredServer, Issue } from './component.js';

/** Whom a hook asks, by its type. */
const RECIPIENTS: Record<string, string> = {
  prompt: 'a model',
  agent: 'a model',
  http: 'a server',
  mcp_tool: 'a tool',
};

/** A hook that asks somebody whom the CLI cannot ask at this event. */
export function unsupportedTypeDefect(event: string, type: string): Issue | undefined {
  if (!isUnsupportedType(event, type)) return undefined;
  return {
    reason: `it asks ${RECIPIENTS[type]} (type "${type}"), which the CLI cannot do at ${event}: it does nothing`,
    fix: 'Use a hook of type "command" there.',
  };
}

/** A hook that calls a tool of a server of its own plugin must name it as the CLI does. */
export function withServerName(hook: DeclaredHook, plugin: string, servers: readonly DeclaredServer[]): DeclaredHook {
  const [, server, tool] = /^(.*)\/([^/]*)$/.exec(hook.text) ?? [];
  if (hook.type !== 'mcp_tool' || hook.issue !== undefined || hook.defect !== undefined) return hook;
  if (!servers.some(({ name }) => name === server)) return hook;
  const reason = `it calls ${tool} of the server "${server}", which the CLI knows as "plugin:${plugin}:${server}": it is never reached`;
  return { ...hook, defect: { reason, fix: `Write "server": "plugin:${plugin}:${server}".` } };
}
