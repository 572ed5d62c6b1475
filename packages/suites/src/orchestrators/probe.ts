import { type FoundAgent, findAgent, type LoginOptions, type ProbedLogin, probeLogin } from '@understudy/agents';
import { UnderstudyError } from '@understudy/kit';
import type { AgentState } from '@understudy/verdict';
import type { Backend } from './case.js';

/** What a probe found, and the variables with which the CLI is signed in. */
export interface Probed {
  state: AgentState;
  login: ProbedLogin['login'];
}

/** Whether a backend is on this machine and signed in. */
export async function probeBackend(backend: Backend, options: LoginOptions = {}): Promise<Probed> {
  const { environment = process.env } = options;
  let found: FoundAgent;
  try {
    found = await findAgent(backend, { environment });
  } catch (error) {
    if (!(error instanceof UnderstudyError)) throw error;
    const detail = `${error.message}: ${error.fix ?? ''}`;
    return { state: { agent: backend, version: null, available: false, authenticated: false, detail }, login: {} };
  }
  const { login, ...answer } = await probeLogin(found, options);
  return { state: { agent: backend, version: found.version, available: true, ...answer }, login };
}
