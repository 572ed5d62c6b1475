import { defineAgent } from '../define-agent.js';
import type { Machine } from '../machine.js';
import { pinnedVersions } from '../versions.js';
import { asking } from './asking.js';
import { codex as client } from './client.js';
import { promptOf } from './commands.js';

export const codex = defineAgent({
  name: 'codex',
  program: 'codex',
  npm: { package: '@openai/codex', pinned: pinnedVersions.codex, executables },
  stages: ['sim', 'scripted', 'replay', 'live'],
  promptOf,
  // In a home that is in its temp folder it makes no helpers, and its own sandbox runs no command without.
  called: { asking, ownTemp: true },
  provider: 'openai',
  client,
  credentials: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'OPENAI_BASE_URL'],
  login: { homes: ['HOME', 'CODEX_HOME'], questions: [], quiet: {} },
  driver: async () => (await import('./driver.js')).codexDriver,
});

function executables({ platform, arch }: Machine): string[] {
  const cpu = arch === 'arm64' ? 'aarch64' : 'x86_64';
  const systems: Partial<Record<NodeJS.Platform, string>> = {
    linux: 'unknown-linux-musl',
    darwin: 'apple-darwin',
    win32: 'pc-windows-msvc',
  };
  const program = platform === 'win32' ? 'codex.exe' : 'codex';
  return [`@openai/codex-${platform}-${arch}/vendor/${cpu}-${systems[platform] ?? platform}/bin/${program}`];
}
