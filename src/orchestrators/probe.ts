import { distributions } from '../agents/pinned.js';
import { type FoundAgent, findAgent } from '../agents/store/find-agent.js';
import { UnderstudyError } from '../errors.js';
import { type Environment, scrubbedEnvironment } from '../process/environment.js';
import { type Outcome, runToEnd } from '../process/run-to-end.js';
import { createScratch } from '../process/scratch.js';
import type { Backend } from './case.js';
import { keysOf, placesOf } from './login.js';
import type { BackendState } from './stage.js';

export interface ProbeOptions {
  /** Whose login it is; by default, ours. */
  environment?: NodeJS.ProcessEnv;
  /** How long a CLI may take to say whether it is signed in. */
  deadlineMs?: number;
}

/** What a probe found, and the variables with which the CLI says that it is signed in. */
export interface Probed {
  state: BackendState;
  /** Nothing but this and what every program gets is passed to the CLI. */
  login: Environment;
}

const DEADLINE_MS = 30_000;

/** Keeps a question from becoming an update, a download or a report. */
const QUIET = {
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  npm_config_offline: 'true',
  NO_COLOR: '1',
};

/** How to ask a CLI about its login without a call of its model. */
interface Question {
  args: readonly string[];
  read(outcome: Outcome): Answer;
}

/** What it is signed in with; `no` when it says that it is not, `unclear` when it does not say. Never a name or an address. */
type Answer = { with: string } | 'no' | 'unclear';

const QUESTIONS: Readonly<Record<Backend, readonly Question[]>> = {
  claude: [{ args: ['auth', 'status', '--json'], read: ({ stdout }) => readClaudeStatus(stdout) }],
  // Its documents do not say that it tells a key from nothing, so only a yes is clear.
  kiro: [{ args: ['whoami'], read: ({ code }) => (code === 0 ? { with: 'signed in' } : 'unclear') }],
  opencode: [
    { args: ['auth', 'list'], read: ({ stdout }) => readCredentials(stdout) },
    // A provider of its configuration needs no login, and the list does not know it.
    { args: ['debug', 'config'], read: ({ stdout }) => readProviders(stdout) },
  ],
};

const FIXES: Readonly<Record<Backend, string>> = {
  claude: 'run `claude auth login`, or set ANTHROPIC_API_KEY',
  kiro: 'run `kiro-cli login`, or set KIRO_API_KEY',
  opencode: 'run `opencode auth login`, or set ANTHROPIC_API_KEY or OPENAI_API_KEY',
};

/**
 * Asks a CLI whether it is there and signed in: with its own login first, then with the keys of the
 * environment. Whether a key is any good only its service knows, and that is not asked.
 */
export async function probeBackend(backend: Backend, options: ProbeOptions = {}): Promise<Probed> {
  const environment = options.environment ?? process.env;
  let found: FoundAgent;
  try {
    found = await findAgent(backend, { environment });
  } catch (error) {
    if (!(error instanceof UnderstudyError)) throw error;
    const detail = `${error.message}: ${error.fix ?? ''}`;
    return { state: { backend, version: null, available: false, authenticated: false, detail }, login: {} };
  }
  const known = { backend, version: found.version, available: true };
  const signedIn = (detail: string, login: Environment): Probed => ({
    state: { ...known, authenticated: true, detail },
    login,
  });

  const examine = (login: Environment) => askAll(found, login, environment, options.deadlineMs ?? DEADLINE_MS);
  const own = placesOf(backend, environment);
  const first = await examine(own);
  if (first.with !== undefined) return signedIn(`its own login: ${first.said}`, own);

  const keys = keysOf(backend, environment);
  const names = Object.keys(keys).join(' and ');
  if (names !== '') {
    const login = { ...own, ...keys };
    const second = await examine(login);
    if (second.with !== undefined) return signedIn(`${names} of the environment: ${second.said}`, login);
    // It cannot be asked; then the key must do.
    if (second.unclear) return signedIn(`${names} of the environment, not tried; ${second.said}`, login);
  }
  const detail = `not signed in: ${first.said}; ${FIXES[backend]}`;
  return { state: { ...known, authenticated: false, detail }, login: {} };
}

interface Finding {
  with?: string;
  unclear: boolean;
  /** Who said what. */
  said: string;
}

/** Puts all questions to a CLI, until it says what it is signed in with. */
async function askAll(
  { agent, command }: FoundAgent,
  login: Environment,
  from: NodeJS.ProcessEnv,
  deadlineMs: number,
): Promise<Finding> {
  const findings: Finding[] = [];
  for (const { args, read } of QUESTIONS[agent as Backend]) {
    const outcome = await ask([...command, ...args], login, from, deadlineMs);
    const answer = outcome.timedOut ? 'unclear' : read(outcome);
    const asked = `\`${distributions[agent].program} ${args.join(' ')}\``;
    if (typeof answer === 'object') return { with: answer.with, unclear: false, said: `${asked} says ${answer.with}` };
    const silence = outcome.timedOut ? 'did not answer in time' : `ended with ${outcome.code ?? outcome.signal}`;
    findings.push(
      answer === 'no'
        ? { unclear: false, said: `${asked} knows of no login` }
        : { unclear: true, said: `${asked} ${silence}` },
    );
  }
  return { unclear: findings.every(({ unclear }) => unclear), said: findings.map(({ said }) => said).join(', ') };
}

async function ask(
  command: readonly string[],
  login: Environment,
  from: NodeJS.ProcessEnv,
  deadlineMs: number,
): Promise<Outcome> {
  // An empty folder: the settings of whatever project we are in are none of its business.
  const scratch = createScratch('login');
  try {
    return await runToEnd({
      command,
      cwd: scratch.path,
      env: scrubbedEnvironment({ ...QUIET, ...login }, from),
      deadlineMs,
    });
  } finally {
    await scratch.remove();
  }
}

function readClaudeStatus(stdout: string): Answer {
  const status = parseObject(stdout);
  if (typeof status?.['loggedIn'] !== 'boolean') return 'unclear';
  return status['loggedIn'] ? { with: String(status['authMethod']) } : 'no';
}

/** Its list counts what is stored, and the keys that it sees in the environment. */
function readCredentials(stdout: string): Answer {
  const counts = [...stdout.matchAll(/\b(\d+) (?:credential|environment variable)s?\b/g)];
  const full = counts.find(([, count]) => Number(count) > 0);
  if (full !== undefined) return { with: full[0] };
  return counts.length > 0 ? 'no' : 'unclear';
}

function readProviders(stdout: string): Answer {
  const config = parseObject(stdout);
  if (config === undefined) return 'unclear';
  const names = Object.keys(config['provider'] ?? {});
  return names.length === 0 ? 'no' : { with: `a provider of its own: ${names.join(', ')}` };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
