import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../process/environment.js';
import { scrubbedEnvironment } from '../process/environment.js';
import { runToEnd } from '../process/run-to-end.js';
import type { Language } from './project-spec.js';

const PROBES: Record<Language, readonly string[]> = {
  python: ['python3', '--version'],
  javascript: ['node', '--version'],
  go: ['go', 'version'],
};

/** Go's build cache is keyed by content, so using the machine's own is safe and saves half a minute. */
function goCache(environment: NodeJS.ProcessEnv): string {
  return environment['GOCACHE'] ?? join(environment['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'go-build');
}

/** What a language's tools need on top of a scrubbed environment: no home, no network, no litter in the project. */
export function toolchainEnvironment(language: Language, from: NodeJS.ProcessEnv = process.env): Environment {
  if (language === 'python') return { PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' };
  if (language === 'javascript') return {};
  return {
    GOCACHE: goCache(from),
    GOPATH: join(tmpdir(), 'understudy-gopath'),
    GOPROXY: 'off',
    GOTOOLCHAIN: 'local',
    GOFLAGS: '-buildvcs=false',
    GOTELEMETRY: 'off',
  };
}

/** What the language's tool says about its version, or undefined when it is not on this machine. */
export async function toolchainVersion(language: Language): Promise<string | undefined> {
  try {
    const outcome = await runToEnd({
      command: PROBES[language],
      cwd: tmpdir(),
      env: scrubbedEnvironment(toolchainEnvironment(language)),
      deadlineMs: 10_000,
    });
    return outcome.code === 0 ? outcome.stdout.trim() : undefined;
  } catch {
    return undefined;
  }
}
