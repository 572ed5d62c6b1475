import type { DeclaredPlugin, DeclaredServer } from './declared/component.js';
import type { LoadTruth } from './loaded/look.js';
import type { ComponentReport } from './report.js';

/** Holds the MCP servers against those that the CLI is connected to. */
export function compareServers(plugin: DeclaredPlugin, truth: LoadTruth): ComponentReport[] {
  const prefix = `plugin:${plugin.name}:`;
  const declared = plugin.components.filter((component) => component.kind === 'server');
  const known = new Set(declared.map(({ name }) => `${prefix}${name}`));
  const extra = truth.servers.filter(({ name }) => name.startsWith(prefix) && !known.has(name));
  return [
    ...declared.map((server) => reportServer(prefix, server, truth)),
    ...extra.map(({ name }) =>
      reportServer(prefix, { kind: 'server', name: name.slice(prefix.length), file: '' }, truth),
    ),
  ];
}

function reportServer(prefix: string, server: DeclaredServer, truth: LoadTruth): ComponentReport {
  const name = server.trouble === undefined ? `${prefix}${server.name}` : server.name;
  const base = { kind: 'server' as const, name, ...(server.file === '' ? {} : { file: server.file }), warnings: [] };
  const state = truth.servers.find((one) => one.name === `${prefix}${server.name}`);
  if (state?.status === 'connected') return { ...base, status: 'loaded' };
  const byHand = server.how === undefined ? '' : ` Try it by hand: ${server.how}`;
  if (state === undefined) {
    const trouble = server.trouble ?? {
      reason: 'the CLI does not know it; of two servers with the same command line it keeps one',
      fix: 'Compare it with the other servers, and run claude plugin validate.',
    };
    return { ...base, status: 'failed', ...trouble };
  }
  const said = [state.error, state.log].filter((text) => text !== undefined && text !== '').join('; ');
  switch (state.status) {
    case 'failed':
      return {
        ...base,
        status: 'failed',
        reason: `it did not start: ${said || 'no reason given'}`,
        fix: `Make it start.${byHand}`,
      };
    case 'needs-auth':
      return {
        ...base,
        status: 'failed',
        reason: 'it wants a login',
        fix: 'Give it a token, or leave it out of tests.',
      };
    case 'pending':
      return { ...base, status: 'failed', reason: 'it is still not connected', fix: `Make it answer sooner.${byHand}` };
    default:
      return { ...base, status: 'failed', reason: `its state is ${state.status}`, fix: 'Enable it, or take it out.' };
  }
}
