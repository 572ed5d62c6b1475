import { createTempFolder, type Environment, type Outcome, runToEnd, scrubbedEnvironment } from '@understudy/kit';
import { agents } from './agents.js';
import type { AgentDefinition } from './define-agent.js';
import { loginHome, loginKeys } from './login.js';
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

function howToSignIn({ login, credentials }: AgentDefinition): string {
  return login.advice ?? `set one of ${credentials.join(', ')}`;
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
  if (first.with !== undefined) return { authenticated: true, detail: `its own login: ${first.text}`, login: own };

  const keys = loginKeys(found.agent, environment);
  const names = Object.keys(keys).join(' and ');
  if (names !== '') {
    const login = { ...own, ...keys };
    const second = await examine(login);
    const signedIn = (detail: string) => ({ authenticated: true, detail, login });
    if (second.with !== undefined) return signedIn(`${names} of the environment: ${second.text}`);
    // The CLI does not say. Then the key is taken as good.
    if (second.unclear) return signedIn(`${names} of the environment, not tried; ${second.text}`);
  }
  return {
    authenticated: false,
    detail: `not signed in: ${first.text}; ${howToSignIn(agents[found.agent])}`,
    login: {},
  };
}

interface Finding {
  with?: string;
  unclear: boolean;
  /** Who said what. */
  text: string;
}

/** Asks a CLI all questions, until it says what it is signed in with. */
async function askAll(
  { agent, command }: FoundAgent,
  login: Environment,
  from: NodeJS.ProcessEnv,
  deadlineMs: number,
): Promise<Finding> {
  const {
    program,
    login: { questions, quiet },
  } = agents[agent];
  const findings: Finding[] = [];
  for (const { args, read } of questions) {
    const outcome = await ask([...command, ...args], { ...quiet, ...login }, from, deadlineMs);
    const answer = outcome.timedOut ? 'unclear' : read(outcome);
    const asked = `\`${program} ${args.join(' ')}\``;
    if (typeof answer === 'object') return { with: answer.with, unclear: false, text: `${asked} says ${answer.with}` };
    const silence = outcome.timedOut ? 'did not answer in time' : `ended with ${outcome.code ?? outcome.signal}`;
    findings.push(
      answer === 'no'
        ? { unclear: false, text: `${asked} knows of no login` }
        : { unclear: true, text: `${asked} ${silence}` },
    );
  }
  if (findings.length === 0) return { unclear: true, text: `${program} cannot be asked` };
  return {
    unclear: findings.every(({ unclear }) => unclear),
    text: findings.map(({ text: statement }) => statement).join(', '),
  };
}

async function ask(
  command: readonly string[],
  variables: Environment,
  from: NodeJS.ProcessEnv,
  deadlineMs: number,
): Promise<Outcome> {
  // An empty folder: settings of the project that we are in must not count.
  const scratch = createTempFolder();
  try {
    return await runToEnd({
      command,
      cwd: scratch.path,
      env: scrubbedEnvironment({ TMPDIR: scratch.path, NO_COLOR: '1', ...variables }, from),
      deadlineMs,
    });
  } finally {
    await scratch.remove();
  }
}
