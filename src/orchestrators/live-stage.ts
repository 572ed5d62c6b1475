import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LoginOptions } from '../agents/probe-login.js';
import { findAgent } from '../agents/store/find-agent.js';
import { type Environment, scrubbedEnvironment } from '../process/environment.js';
import type { Backend, CaseSetup } from './case.js';
import { type Probed, probeBackend } from './probe.js';
import { fakeKeys, programs, type Stage, searchPath, writeProgram } from './stage.js';

/**
 * The real CLIs on their real models, with the user's own login. No script is played: what the
 * model says is its own affair, so a case must tell it in its prompt.
 */
export function liveStage(options: LoginOptions = {}): Stage {
  const environment = options.environment ?? process.env;
  const probes = new Map<Backend, Promise<Probed>>();
  /** Asked once for the whole run: a login does not change in between. */
  const probed = (backend: Backend): Promise<Probed> => {
    const probe = probes.get(backend) ?? probeBackend(backend, options);
    probes.set(backend, probe);
    return probe;
  };
  return {
    name: 'live',
    state: async (backend) => (await probed(backend)).state,
    async prepare(workspace, setup) {
      const home = join(workspace, '.home');
      const refused = expectsRefusal(setup);
      const logins = new Map<Backend, Environment>();
      // Whoever a case needs was asked for before it runs.
      for (const [backend, probe] of probes) {
        const { state, login } = await probe;
        if (state.available && state.authenticated) logins.set(backend, refused ? spoiled(login, home) : login);
      }
      const all: Environment = Object.assign({}, ...logins.values());
      for (const [backend, login] of setup.withoutBackend === true ? [] : logins) {
        const { command } = await findAgent(backend, { environment });
        // One CLI's key is none of another's business, and would come before its own login.
        const foreign = Object.keys(all).filter((name) => login[name] === undefined);
        writeProgram(join(home, 'bin', programs[backend]), [
          'env',
          ...foreign.flatMap((name) => ['-u', name]),
          ...command,
        ]);
      }
      const env = {
        ...scrubbedEnvironment({}, environment),
        PATH: searchPath(home, setup),
        // Claude Code lets root skip permissions only where it is told that this is a sandbox.
        IS_SANDBOX: '1',
        DISABLE_AUTOUPDATER: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        ...all,
      };
      return { env, close: async () => {} };
    },
  };
}

/** A script in which every answer is that the key is bad: live, the key has to be. */
function expectsRefusal({ scenario }: CaseSetup): boolean {
  const rules = scenario.responses ?? [];
  return rules.length > 0 && rules.every(({ failure }) => failure?.type === 'auth_error');
}

/** A login with nobody's home and keys that no service takes; where the service is stays as it was. */
function spoiled(login: Environment, home: string): Environment {
  const nobody = join(home, 'nobody');
  mkdirSync(nobody, { recursive: true });
  const places = Object.fromEntries(Object.entries(login).filter(([name]) => /_(?:URL|MODEL|REGION)$/.test(name)));
  return {
    ...places,
    ...fakeKeys,
    OPENAI_API_KEY: 'sk-fake',
    HOME: nobody,
    CLAUDE_CONFIG_DIR: join(nobody, '.claude'),
    // Claude Code would try a refused key for minutes.
    CLAUDE_CODE_MAX_RETRIES: '1',
  };
}

/** Whether a change of a setup changes anything where no script is played. */
export function changesMoreThanScript(before: CaseSetup, after: CaseSetup): boolean {
  const rest = ({ scenario: _, ...setup }: CaseSetup) => JSON.stringify(setup);
  return rest(before) !== rest(after) || expectsRefusal(before) !== expectsRefusal(after);
}
