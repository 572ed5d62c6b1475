import { join } from 'node:path';
import type { ServedClient } from '@understudy/model';
import { SCRIPTED_MODEL } from '../environment.js';
import { storeFolder } from '../store-folder.js';

/** The name that a provider of the user's own has in addresses of the recorder. */
export const UPSTREAM = 'copilot.provider';

/** It fetches nothing, and unpacks itself (235 MB) once for all homes. */
export const COPILOT_ALONE = {
  COPILOT_AUTO_UPDATE: 'false',
  COPILOT_PKG_CACHE_HOME: join(storeFolder(process.env), '.copilot'),
};

/** It repeats a failed request five times, and no option changes that. */
export const environment: ServedClient['environment'] = ({ url, key }, { real }) => ({
  env: {
    COPILOT_OFFLINE: 'true',
    ...COPILOT_ALONE,
    ...(real === undefined ? { COPILOT_MODEL: SCRIPTED_MODEL } : real.env),
    COPILOT_PROVIDER_BASE_URL: real === undefined ? `${url}/v1` : `${url}/to/${UPSTREAM}`,
    COPILOT_PROVIDER_API_KEY: key,
  },
  files: {},
  args: [],
});
