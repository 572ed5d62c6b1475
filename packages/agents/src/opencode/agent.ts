import { isObject, parseJson } from '@understudy/kit';
import { defineAgent, type LoginAnswer } from '../define-agent.js';
import { SHORT_LIVED } from '../environment.js';
import type { Machine } from '../machine.js';
import { pinnedVersions } from '../versions.js';
import { asking } from './asking.js';
import { opencode as client } from './client.js';
import { promptOf } from './command-line.js';

export const opencode = defineAgent({
  name: 'opencode',
  program: 'opencode',
  // Later versions lack a build for arm64.
  npm: { package: 'opencode-ai', pinned: pinnedVersions.opencode, executables },
  stages: ['sim', 'scripted', 'replay', 'live'],
  promptOf,
  called: { asking, programsMaySet: ['OPENCODE_CONFIG_CONTENT'] },
  // The id of the project.
  gitFiles: ['opencode'],
  client,
  credentials: [
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'GEMINI_API_KEY',
    'OPENROUTER_API_KEY',
    'OPENCODE_CONFIG_CONTENT',
  ],
  login: {
    homes: ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR'],
    questions: [
      { args: ['auth', 'list'], read: ({ stdout }) => readCredentials(stdout) },
      // A provider in its configuration needs no login, and the list does not show it.
      { args: ['debug', 'config'], read: ({ stdout }) => readProviders(stdout) },
    ],
    quiet: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      npm_config_offline: 'true',
      ...SHORT_LIVED,
    },
    advice: 'run `opencode auth login`, or set ANTHROPIC_API_KEY or OPENAI_API_KEY',
  },
  driver: async () => (await import('./driver.js')).openCodeDriver,
});

function executables({ platform, arch, musl, avx2 }: Machine): string[] {
  const base = `opencode-${platform === 'win32' ? 'windows' : platform}-${arch}`;
  const flavours = avx2 ? ['', '-baseline'] : ['-baseline', ''];
  const libraries = musl ? ['-musl', ''] : ['', '-musl'];
  const program = platform === 'win32' ? 'opencode.exe' : 'opencode';
  return libraries.flatMap((library) => flavours.map((flavour) => `${base}${flavour}${library}/bin/${program}`));
}

/** Its list counts stored credentials and the keys that it sees in the environment. */
function readCredentials(stdout: string): LoginAnswer {
  const counts = [...stdout.matchAll(/\b(\d+) (?:credential|environment variable)s?\b/g)];
  const full = counts.find(([, count]) => Number(count) > 0);
  if (full !== undefined) return { with: full[0] };
  return counts.length > 0 ? 'no' : 'unclear';
}

function readProviders(stdout: string): LoginAnswer {
  const config = parseJson(stdout);
  if (!isObject(config)) return 'unclear';
  const names = Object.keys(config['provider'] ?? {});
  return names.length === 0 ? 'no' : { with: `a provider of its own: ${names.join(', ')}` };
}
