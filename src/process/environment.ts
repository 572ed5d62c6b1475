/** What a child may inherit: where programs are, the language, the terminal. Never keys, proxies or Node options. */
const INHERITED = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'USER', 'LOGNAME', 'SHELL'] as const;

export type Environment = Record<string, string>;

/**
 * The environment of a hermetic child: a short list of harmless variables of ours, then `additions`.
 * NODE_EXTRA_CA_CERTS and friends stay behind on purpose: they cost start-up time and change results.
 */
export function scrubbedEnvironment(additions: Environment = {}, from: NodeJS.ProcessEnv = process.env): Environment {
  const environment: Environment = {};
  for (const name of INHERITED) {
    const value = from[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...additions };
}
