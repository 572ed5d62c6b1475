import { field } from '@understudy/kit';
import { pick } from '@understudy/stage';
import * as z from 'zod/mini';
import { defineCheck, each, givenAt, words } from './define-check.js';
import type { Observed } from './observed.js';
import { ifReported } from './reported.js';
import { type CheckResult, statusOf } from './result.js';

/** Whether every plugin loaded without an error, and those that are named are there. */
export function checkPluginsClean(seen: Observed, names: readonly string[] = []): CheckResult {
  const sessions = pick(seen.all, 'session');
  const loaded = [...new Set(sessions.flatMap((session) => session.plugins ?? []).map((plugin) => plugin.name))];
  const errors = sessions
    .flatMap((session) => session.pluginErrors ?? [])
    .map(({ plugin, message }) => `${plugin}: ${message}`);
  const missing = names.filter((name) => !loaded.includes(name));
  const told = sessions.some((session) => session.plugins !== undefined);
  return ifReported(seen, 'plugins', {
    name: 'plugins loaded',
    category: 'plugins',
    subject: { kind: 'plugin', names: [...names] },
    status: told ? statusOf(errors.length === 0 && missing.length === 0) : 'unjudged',
    expected: names.length === 0 ? 'no plugin has load errors' : `${names.join(', ')} load without errors`,
    actual: !told
      ? 'the agent did not report its plugins'
      : [
          `loaded: ${loaded.join(', ') || 'none'}`,
          ...missing.map((name) => `missing: ${name}`),
          ...new Set(errors),
        ].join('; '),
    evidence: [...new Set(errors)],
    ...(errors.length + missing.length === 0
      ? {}
      : { suggestion: 'Run `understudy plugin PATH`: it shows what failed to load, and why.' }),
  });
}

/** Whether an MCP server came up. */
export function checkMcpServerUp(seen: Observed, name: string): CheckResult {
  const servers = pick(seen.all, 'session').flatMap((session) => session.mcpServers ?? []);
  const matching = servers.filter((server) => server.name === name || server.name.endsWith(`:${name}`));
  const last = matching.at(-1);
  const reason = matching.findLast(({ status, error }) => status === last?.status && error !== undefined)?.error;
  return ifReported(seen, 'mcp_servers', {
    name: 'MCP server up',
    category: 'plugins',
    subject: { kind: 'mcp_server', name },
    status: statusOf(last?.status === 'connected'),
    expected: `${name} is connected`,
    actual:
      last === undefined
        ? `there is no server ${name}`
        : `${name} is ${last.status}${reason === undefined ? '' : `: ${reason}`}`,
    evidence: [...new Set(servers.map((server) => `${server.name}: ${server.status}`))],
  });
}

/** `any` anywhere in a rehearsal: plugins that do not load as their files declare do not fail it. */
export const plugins = defineCheck({
  fields: {
    plugins: field(
      'Plugins that loaded, and none has an error; "clean": none has an error; "any" allows plugins that do not load as declared.',
      z.union([z.enum(['clean', 'any']), words]),
    ),
  },
  scopes: ['step', 'call', 'start'],
  page: 'plugins.md#does-it-load',
  judge: (seen, { plugins }, place) =>
    givenAt(place)(['plugins'], plugins === 'any' ? undefined : plugins, (wanted) => [
      checkPluginsClean(seen, wanted === 'clean' ? [] : wanted),
    ]),
});

export const mcpServers = defineCheck({
  fields: { mcp_servers: field('MCP servers that are connected.', words) },
  scopes: ['step', 'call', 'start'],
  judge: (seen, { mcp_servers }, place) =>
    each(place, ['mcp_servers'], mcp_servers, (server) => [checkMcpServerUp(seen, server)]),
});
