import { READ_ONLY, READ_ONLY_FIX } from './compare-hooks.js';
import type { DeclaredPlugin, DeclaredServer } from './declared/component.js';
import type { LoadedState } from './loaded/loaded-state.js';
import type { ComponentReport } from './report.js';

/** Compares the MCP servers with those that the CLI is connected to. */
export function compareServers(plugin: DeclaredPlugin, state: LoadedState): ComponentReport[] {
  const prefix = plugin.isProject === true ? '' : `plugin:${plugin.name}:`;
  const declared = plugin.components.filter((component) => component.kind === 'server');
  const known = new Set(declared.map(({ name }) => `${prefix}${name}`));
  const extra = state.servers.filter(({ name }) => prefix !== '' && name.startsWith(prefix) && !known.has(name));
  return [
    ...declared.map((server) => reportServer(prefix, server, state)),
    ...extra.map(({ name }) =>
      reportServer(prefix, { kind: 'server', name: name.slice(prefix.length), file: '' }, state),
    ),
  ];
}

function reportServer(prefix: string, server: DeclaredServer, loaded: LoadedState): ComponentReport {
  const name = server.issue === undefined ? `${prefix}${server.name}` : server.name;
  const base = {
    kind: 'server' as const,
    name,
    ...(server.file === '' ? {} : { file: server.file }),
    warnings: server.warning === undefined ? [] : [server.warning],
  };
  const found = loaded.servers.find((one) => one.name === `${prefix}${server.name}`);
  if (found?.status === 'connected') return { ...base, status: 'loaded' };
  if (found === undefined) {
    const issue = server.issue ?? {
      reason: 'the CLI does not list it; of two servers with the same command line it keeps one',
      fix: 'Compare it with the other servers, and run claude plugin validate.',
    };
    return { ...base, status: 'failed', ...issue };
  }
  const said = [found.error, found.log].filter((text) => text !== undefined && text !== '').join('; ');
  switch (found.status) {
    case 'failed':
      return {
        ...base,
        status: 'failed',
        reason: `it did not start: ${said || 'no reason given'}`,
        fix: READ_ONLY.test(said) ? READ_ONLY_FIX : fixOf(server, 'Make it start.', isForNetwork(said)),
      };
    case 'needs-auth':
      return {
        ...base,
        status: 'failed',
        reason: 'it needs a login',
        fix: 'Give it a token, or leave it out of tests.',
      };
    case 'pending':
      return {
        ...base,
        status: 'failed',
        reason: `it did not connect in time${isFetched(server.how) ? ': what it runs is fetched from the network first' : ''}`,
        fix: fixOf(server, 'Make it answer sooner.', true),
      };
    default:
      return { ...base, status: 'failed', reason: `its state is ${found.status}`, fix: 'Enable it, or remove it.' };
  }
}

/** Programs that fetch what they run, unless it is there already. */
const FETCHERS =
  /^(?:\S*\/)?(?:npx|bunx|pnpx|uvx|(?:npm (?:exec|x)|(?:pnpm|yarn) dlx|bun x|pipx run|uv tool run|docker run))(?:\s|$)/;

const NO_NETWORK =
  /ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|registry|network|timed? ?out|name resolution/i;

/** Whether what a command runs comes from the network. */
export function isFetched(command = ''): boolean {
  return FETCHERS.test(command);
}

/** Whether what a program said is about the network. */
export function isForNetwork(said: string): boolean {
  return NO_NETWORK.test(said);
}

/** `byNetwork`: the network may be why. */
function fixOf(server: DeclaredServer, fix: string, byNetwork: boolean): string {
  const { how, name } = server;
  if (how === undefined) return fix;
  if (/^\w+:\/\//.test(how)) {
    return `Look whether this machine reaches ${how}. Where it must not, replace it: [mcp.${name}] in rehearsals.`;
  }
  if (byNetwork && isFetched(how)) {
    return `Install what it runs beforehand, so that it starts without the network, replace it ([mcp.${name}] in rehearsals), or use \`--isolation none\`. Try it by hand: ${how}`;
  }
  return `${fix} Try it by hand: ${how}`;
}
