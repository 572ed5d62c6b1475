import { defineAgent } from '../define-agent.js';
import type { Machine } from '../machine.js';
import { pinnedVersions } from '../versions.js';
import { copilot as client } from './client.js';
import { promptOf } from './command-line.js';
import { COPILOT_ALONE } from './environment.js';

/** GitHub Copilot CLI, on a model of ours or on a provider of the user's own. */
export const copilot = defineAgent({
  name: 'copilot',
  program: 'copilot',
  npm: { package: '@github/copilot', pinned: pinnedVersions.copilot, executables },
  stages: ['scripted', 'replay', 'live'],
  promptOf,
  called: {
    // It reads a prompt that is piped in, too.
    asking: ['*'],
    otherServices: [
      ...['BEARER_TOKEN', 'API_KEY_COMMAND', 'TYPE', 'WIRE_API', 'TRANSPORT', 'HEADERS', 'MODEL_ID', 'WIRE_MODEL'].map(
        (name) => `COPILOT_PROVIDER_${name}`,
      ),
    ],
    programsMaySet: ['COPILOT_MODEL'],
  },
  tools: {
    tools: { read: 'view', write: 'create' },
    arguments: { path: 'paths', content: 'file_text', old: 'old_str', new: 'new_str' },
  },
  client,
  credentials: [
    // Not GH_TOKEN and GITHUB_TOKEN, which it would take, too: programs have them for other things.
    'COPILOT_GITHUB_TOKEN',
    ...['COPILOT_PROVIDER_BASE_URL', 'COPILOT_PROVIDER_API_KEY', 'COPILOT_PROVIDER_BEARER_TOKEN'],
    ...['COPILOT_PROVIDER_TYPE', 'COPILOT_PROVIDER_WIRE_API', 'COPILOT_MODEL'],
  ],
  login: {
    homes: ['HOME', 'COPILOT_HOME'],
    questions: [],
    quiet: COPILOT_ALONE,
    advice: 'run `copilot login`, or set COPILOT_GITHUB_TOKEN',
  },
  driver: async () => (await import('./driver.js')).copilotDriver,
});

function executables({ platform, arch, musl }: Machine): string[] {
  const program = platform === 'win32' ? 'copilot.exe' : 'copilot';
  const builds = platform === 'linux' ? (musl ? ['linuxmusl', 'linux'] : ['linux', 'linuxmusl']) : [platform];
  return builds.map((build) => `@github/copilot-${build}-${arch}/${program}`);
}
