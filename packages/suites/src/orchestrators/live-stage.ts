import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findAgent, type LoginOptions } from '@understudy/agents';
import { type Environment, scrubbedEnvironment } from '@understudy/kit';
import { recorded } from '@understudy/stage';
import type { Backend, CaseSetup } from './case.js';
import { type Probed, probeBackend } from './probe.js';
import { type CaseStage, fakeKeys, putOnPath, searchPath } from './stage.js';

/**
 * The real CLIs on their real models, with the user's own login. There is no script, so a case must tell the model in
 * its prompt what to do.
 */
export function liveStage(options: LoginOptions = {}): CaseStage {
  const environment = options.environment ?? process.env;
  const probes = new Map<Backend, Promise<Probed>>();
  /** Each CLI is asked once for the whole run: a login does not change during a run. */
  const probed = (backend: Backend): Promise<Probed> => {
    const probe = probes.get(backend) ?? probeBackend(backend, options);
    probes.set(backend, probe);
    return probe;
  };
  return {
    name: 'live',
    usesOwnLogin: true,
    state: async (backend) => (await probed(backend)).state,
    async prepare({ workspace, setup }) {
      const home = join(workspace, '.home');
      const refused = expectsRefusal(setup);
      const logins = new Map<Backend, Environment>();
      // All backends that a case needs were probed before it runs.
      for (const [backend, probe] of probes) {
        const { state, login } = await probe;
        if (state.available && state.authenticated)
          logins.set(backend, refused ? withInvalidLogin(login, home) : login);
      }
      const all: Environment = Object.assign({}, ...logins.values());
      for (const [backend, login] of setup.withoutBackend === true ? [] : logins) {
        const { command } = await findAgent(backend, { environment });
        // A CLI must not see the key of another CLI: it would use it instead of its own login.
        const foreign = Object.keys(all).filter((name) => login[name] === undefined);
        const alone = ['env', ...foreign.flatMap((name) => ['-u', name]), ...command];
        putOnPath(home, backend, recorded(backend, alone, home));
      }
      const env = {
        ...scrubbedEnvironment({}, environment),
        PATH: searchPath(home, setup),
        // Claude Code lets root skip permissions only in a sandbox, which this variable declares.
        IS_SANDBOX: '1',
        DISABLE_AUTOUPDATER: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        ...all,
      };
      return { env, close: async () => {} };
    },
  };
}

/** Whether every answer of the script is that the key is bad. On live, the key itself must then be bad. */
export function expectsRefusal({ scenario }: CaseSetup): boolean {
  const rules = scenario.responses ?? [];
  return rules.length > 0 && rules.every(({ failure }) => failure?.type === 'auth_error');
}

/** A login with an empty home and keys that no service accepts. The address of the service stays the same. */
function withInvalidLogin(login: Environment, home: string): Environment {
  const nobody = join(home, 'nobody');
  mkdirSync(nobody, { recursive: true });
  const places = Object.fromEntries(Object.entries(login).filter(([name]) => /_(?:URL|MODEL|REGION)$/.test(name)));
  return {
    ...places,
    ...fakeKeys,
    OPENAI_API_KEY: 'sk-fake',
    HOME: nobody,
    CLAUDE_CONFIG_DIR: join(nobody, '.claude'),
    // Otherwise Claude Code retries a refused key for minutes.
    CLAUDE_CODE_MAX_RETRIES: '1',
  };
}

/** Whether two setups differ in more than the script, which is not played on live. */
export function changesMoreThanScript(before: CaseSetup, after: CaseSetup): boolean {
  const rest = ({ scenario: _, ...setup }: CaseSetup) => JSON.stringify(setup);
  return rest(before) !== rest(after) || expectsRefusal(before) !== expectsRefusal(after);
}
