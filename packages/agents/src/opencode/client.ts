import { factIn, header, type ServedClient, withoutReminders } from '@understudy/model';
import { unquoted } from '@understudy/script';
import { environment } from './environment.js';
import { apis } from './providers.js';

/** OpenCode. */
export const opencode: ServedClient = {
  name: 'opencode',
  environment,
  apis,

  recognizes: (headers) => header(headers, 'user-agent')?.startsWith('opencode/') ?? false,

  identify: (headers) => ({ session: header(headers, 'x-session-id') ?? header(headers, 'x-session-affinity') }),

  authored(texts) {
    const text = unquoted(texts.map(withoutReminders).join('\n').trim());
    return text === '' ? [] : [{ text }];
  },

  workingFolder: (request) => factIn(request, /Working directory: (.+)/),

  // It gives the message of an error to the model as if it were a result.
  reportsFailure: () => false,

  promptBehind: (texts, { sameEntry }) => (sameEntry ? undefined : opencode.authored(texts).at(-1)),
};
