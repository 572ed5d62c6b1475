import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@understudy/kit';
import type { Language } from './project-spec.js';

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
