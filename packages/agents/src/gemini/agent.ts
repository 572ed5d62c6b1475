import { defineAgent } from '../define-agent.js';
import { pinnedVersions } from '../versions.js';
import { asking } from './asking.js';
import { geminiCli as client } from './client.js';
import { promptOf } from './command-line.js';
import { SCRIPTED_GEMINI } from './environment.js';

export const gemini = defineAgent({
  name: 'gemini',
  program: 'gemini',
  npm: {
    package: '@google/gemini-cli',
    pinned: pinnedVersions.gemini,
    executables: () => ['@google/gemini-cli/bundle/gemini.js'],
  },
  runsOnNode: true,
  stages: ['sim', 'scripted', 'replay', 'live'],
  promptOf,
  called: {
    asking,
    otherServices: ['GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'],
    programsMaySet: ['GEMINI_MODEL'],
  },
  standInVariables: { GEMINI_MODEL: SCRIPTED_GEMINI },
  provider: 'gcp.gemini',
  client,
  credentials: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GOOGLE_CLOUD_PROJECT'],
  login: { homes: ['HOME'], questions: [], quiet: {} },
  driver: async () => (await import('./driver.js')).geminiDriver,
});
