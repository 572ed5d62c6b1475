import { createTempFolder, type Environment, type Outcome, runToEnd, scrubbedEnvironment } from '@understudy/kit';
import { SHORT_LIVED } from '@understudy/model';
import { credentials } from './credentials.js';
import { loginHome, loginKeys } from './login.js';
import { type AgentName, distributions } from './pinned.js';
import type { FoundAgent } from './store/find-agent.js';

export interface LoginOptions {
  /** Whose login it is; by default, ours. */
  environment?: NodeJS.ProcessEnv;
  /** How long a CLI may take to say whether it is signed in. */
  deadlineMs?: number;
}

/** Whether a CLI is signed in, and with which variables. */
export interface ProbedLogin {
  authenticated: boolean;
  /** How it was found out; or why it is not signed in, and what to do. */
  detail: string;
  /** The CLI gets nothing but this and what every program gets. */
  login: Environment;
}

const DEADLINE_MS = 30_000;

/** Keeps the CLI from updating itself, downloading something or sending telemetry. */
const QUIET = {
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  npm_config_offline: 'true',
  NO_COLOR: '1',
  ...SHORT_LIVED,
};

/** How to ask a CLI about its login without a call of its model. */
interface Question {
  args: readonly string[];
  read(outcome: Outcome): Answer;
}

/** What the CLI is signed in with; `no` when it is not, `unclear` when it does not say. Never a name or an address. */
type Answer = { with: string } | 'no' | 'unclear';

/** A CLI without an entry cannot be asked. */
const QUESTIONS: Readonly<Partial<Record<AgentName, readonly Question[]>>> = {
  claude: [{ args: ['auth', 'status', '--json'], read: ({ stdout }) => readClaudeStatus(stdout) }],
  // Its documentation does not say whether this command knows of keys, so only a yes is clear.
  kiro: [{ args: ['whoami'], read: ({ code }) => (code === 0 ? { with: 'signed in' } : 'unclear') }],
  opencode: [
    { args: ['auth', 'list'], read: ({ stdout }) => readCredentials(stdout) },
    // A provider in its configuration needs no login, and the list does not show it.
    { args: ['debug', 'config'], read: ({ stdout }) => readProviders(stdout) },
  ],
};

const LOGIN_COMMANDS: Readonly<Partial<Record<AgentName, string>>> = {
  claude: 'run `claude auth login`, or set ANTHROPIC_API_KEY',
  kiro: 'run `kiro-cli login`, or set KIRO_API_KEY',
  opencode: 'run `opencode auth login`, or set ANTHROPIC_API_KEY or OPENAI_API_KEY',
};

function howToSignIn(agent: AgentName): string {
  return LOGIN_COMMANDS[agent] ?? `set one of ${credentials[agent].join(', ')}`;
}

/**
 * Asks a CLI whether it is signed in: with its own login first, then with the keys of the environment.
 * Whether a key is valid only its service knows, and that is not asked.
 */
export async function probeLogin(found: FoundAgent, options: LoginOptions = {}): Promise<ProbedLogin> {
  const environment = options.environment ?? process.env;
  const examine = (login: Environment) => askAll(found, login, environment, options.deadlineMs ?? DEADLINE_MS);
  const own = loginHome(found.agent, environment);
  const first = await examine(own);
  if (first.with !== undefined) return { authenticated: true, detail: `its own login: ${first.said}`, login: own };

  const keys = loginKeys(found.agent, environment);
  const names = Object.keys(keys).join(' and ');
  if (names !== '') {
    const login = { ...own, ...keys };
    const second = await examine(login);
    const signedIn = (detail: string) => ({ authenticated: true, detail, login });
    if (second.with !== undefined) return signedIn(`${names} of the environment: ${second.said}`);
    // The CLI does not say. Then the key is taken as good.
    if (second.unclear) return signedIn(`${names} of the environment, not tried; ${second.said}`);
  }
  return { authenticated: false, detail: `not signed in: ${first.said}; ${howToSignIn(found.agent)}`, login: {} };
}

interface LoginAnswer {
  with?: string;
  unclear: boolean;
  /** Who said what. */
  said: string;
}

/** Asks a CLI all questions, until it says what it is signed in with. */
async function askAll(
  { agent, command }: FoundAgent,
  login: Environment,
  from: NodeJS.ProcessEnv,
  deadlineMs: number,
): Promise<LoginAnswer> {
  const findings: LoginAnswer[] = [];
  for (const { args, read } of QUESTIONS[agent] ?? []) {
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
  if (findings.length === 0) return { unclear: true, said: `${distributions[agent].program} cannot be asked` };
  return { unclear: findings.every(({ unclear }) => unclear), said: findings.map(({ said }) => said).join(', ') };
}

async function ask(
  command: readonly string[],
  login: Environment,
  from: NodeJS.ProcessEnv,
  deadlineMs: number,
): Promise<Outcome> {
  // An empty folder: settings of the project that we are in must not count.
  const scratch = createTempFolder();
  try {
    return await runToEnd({
      command,
      cwd: scratch.path,
      env: scrubbedEnvironment({ TMPDIR: scratch.path, ...QUIET, ...login }, from),
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

/** Its list counts stored credentials and the keys that it sees in the environment. */
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
