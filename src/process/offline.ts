import type { Environment } from './environment.js';

/** Nothing listens there. */
const NOBODY = 'http://127.0.0.1:9';
const LOOPBACK = 'localhost,127.0.0.1,::1';

/** With this, git refuses every address outside this machine before it looks one up. */
export const offlineGit: Environment = { GIT_ALLOW_PROTOCOL: 'file' };

/** Variables with which HTTP clients, git and npm do not even look up a host outside this machine. */
export const offlineEnvironment: Environment = {
  ...{ HTTP_PROXY: NOBODY, HTTPS_PROXY: NOBODY, ALL_PROXY: NOBODY, NO_PROXY: LOOPBACK },
  ...{ http_proxy: NOBODY, https_proxy: NOBODY, all_proxy: NOBODY, no_proxy: LOOPBACK },
  ...offlineGit,
  npm_config_offline: 'true',
};
