/** What a child may inherit: where programs are, and who runs them. Never keys, proxies or Node options. */
const INHERITED = ['PATH', 'TMPDIR', 'USER', 'LOGNAME', 'SHELL'] as const;

/** The language of messages, the order of `sort`, and the clock decide what a tool prints. They are the same everywhere. */
const LOCALE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
const FIXED: Environment = { LANG: LOCALE, LC_ALL: LOCALE, TZ: 'UTC' };

export type Environment = Record<string, string>;

/**
 * The environment of a hermetic child: a fixed language and time zone, a short list of harmless variables of ours, then
 * `additions`.
 * NODE_EXTRA_CA_CERTS and friends stay behind on purpose: they cost start-up time and change results.
 */
export function scrubbedEnvironment(additions: Environment = {}, from: NodeJS.ProcessEnv = process.env): Environment {
  const environment: Environment = { ...FIXED };
  for (const name of INHERITED) {
    const value = from[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...additions };
}
