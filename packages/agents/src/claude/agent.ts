import { isObject, parseJson } from '@understudy/kit';
import { defineAgent, type LoginAnswer } from '../define-agent.js';
import { SHORT_LIVED } from '../environment.js';
import type { Machine } from '../machine.js';
import { pinnedVersions } from '../versions.js';
import { asking } from './asking.js';
import { claudeCode as client } from './client/client.js';
import { promptOf } from './command-line/prompt.js';

export const claude = defineAgent({
  name: 'claude',
  program: 'claude',
  npm: { package: '@anthropic-ai/claude-code', pinned: pinnedVersions.claude, executables },
  stages: ['sim', 'scripted', 'replay', 'live'],
  promptOf,
  called: {
    asking,
    otherServices: [
      ...['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'],
      ...['ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_CUSTOM_HEADERS'],
    ],
    broughtBySdks: true,
  },
  plugins: true,
  printsWire: true,
  provider: 'anthropic',
  client,
  credentials: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_MODEL',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_USE_VERTEX',
  ],
  login: {
    homes: ['HOME', 'CLAUDE_CONFIG_DIR'],
    clouds: {
      CLAUDE_CODE_USE_BEDROCK: [
        'AWS_REGION',
        'AWS_PROFILE',
        'AWS_ACCESS_KEY_ID',
        'AWS_SECRET_ACCESS_KEY',
        'AWS_SESSION_TOKEN',
        'AWS_BEARER_TOKEN_BEDROCK',
      ],
      CLAUDE_CODE_USE_VERTEX: ['CLOUD_ML_REGION', 'ANTHROPIC_VERTEX_PROJECT_ID', 'GOOGLE_APPLICATION_CREDENTIALS'],
    },
    questions: [{ args: ['auth', 'status', '--json'], read: ({ stdout }) => readStatus(stdout) }],
    quiet: { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', ...SHORT_LIVED },
    advice: 'run `claude auth login`, or set ANTHROPIC_API_KEY',
  },
  driver: async () => (await import('./driver.js')).claudeDriver,
});

function executables({ platform, arch, musl }: Machine): string[] {
  const builds = musl ? [`${arch}-musl`, arch] : [arch, `${arch}-musl`];
  const program = platform === 'win32' ? 'claude.exe' : 'claude';
  return [
    ...builds.map((build) => `@anthropic-ai/claude-code-${platform}-${build}/${program}`),
    // Releases before the native builds were one script.
    '@anthropic-ai/claude-code/cli.js',
  ];
}

function readStatus(stdout: string): LoginAnswer {
  const status = parseJson(stdout);
  if (!isObject(status) || typeof status['loggedIn'] !== 'boolean') return 'unclear';
  return status['loggedIn'] ? { with: String(status['authMethod']) } : 'no';
}
