import type { ServedClient } from '@understudy/model';
import { REAL_RETRIES } from '../environment.js';

/** The model of Gemini CLI, unless somebody says another. */
export const SCRIPTED_GEMINI = 'gemini-2.5-flash';

export const environment: ServedClient['environment'] = (
  { url, key },
  { real, retries = real === undefined ? 1 : REAL_RETRIES },
) => ({
  env: {
    GEMINI_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_NO_RELAUNCH: '1',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    // Without a model name, Gemini CLI first asks a model which one to use.
    ...(real === undefined ? { GEMINI_MODEL: SCRIPTED_GEMINI } : {}),
  },
  files: { '.gemini/settings.json': `${JSON.stringify(geminiSettings(retries), null, 2)}\n` },
  args: [],
});

function geminiSettings(retries: number) {
  return {
    security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    general: {
      enableAutoUpdate: false,
      enableAutoUpdateNotification: false,
      maxAttempts: retries + 1,
      retryFetchErrors: false,
    },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  };
}
