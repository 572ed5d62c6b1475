import type { Environment } from './environment.js';

/** Nothing listens there. */
const NOBODY = 'http://127.0.0.1:9';
const LOOPBACK = 'localhost,127.0.0.1,::1';

/** With this, git refuses every address outside this machine before it looks one up. */
export const offlineGit: Environment = { GIT_ALLOW_PROTOCOL: 'file' };

/** Variables that send HTTP clients to a proxy for every host outside this machine; git and npm do not even try. */
export function offlineThrough(proxy: string): Environment {
  return {
    ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: LOOPBACK },
    ...{ http_proxy: proxy, https_proxy: proxy, all_proxy: proxy, no_proxy: LOOPBACK },
    ...offlineGit,
    npm_config_offline: 'true',
  };
}

/** Variables with which HTTP clients, git and npm do not even look up a host outside this machine. */
export const offlineEnvironment: Environment = offlineThrough(NOBODY);
