import { authoredApartFrom, factIn, header, type OwnApis, type ServedClient } from '@understudy/model';
import { environment, UPSTREAM } from './environment.js';

/** What Copilot says in the user's name, as messages of their own. */
const OWN = /^\s*<system_notification\b/;

/** What it puts before each prompt. */
const TIME = /^\s*<current_datetime>[^<]*<\/current_datetime>\s*/;

/** A provider of the user's own, which is asked instead of GitHub. */
const apis: OwnApis = {
  upstreams({ COPILOT_PROVIDER_BASE_URL: url, COPILOT_PROVIDER_API_KEY: key, COPILOT_PROVIDER_TYPE: type }) {
    if (!url) return [];
    const login = type === 'anthropic' ? { 'x-api-key': key ?? '' } : { authorization: `Bearer ${key}` };
    return [[UPSTREAM, { baseUrl: url.replace(/\/+$/, ''), localPath: '', ...(key ? { login } : {}) }]];
  },
  configuration: () => undefined,
};

/** Copilot: it names no session, so that only the transcript distinguishes them. */
export const copilot: ServedClient = {
  name: 'copilot',
  environment,
  apis,
  modelVariables: /^COPILOT_(?:MODEL|PROVIDER_(?:TYPE|WIRE_API))$/,

  // Its user agent is that of a client library.
  recognizes: (headers) => header(headers, 'x-initiator') !== undefined,

  identify: () => ({}),

  authored: (texts) =>
    authoredApartFrom(
      OWN,
      texts.map((text) => text.replace(TIME, '')),
    ),

  workingFolder: (request) => factIn(request, /\* Current working directory: (.+)/),

  reportsFailure: (result) => /^<shellId: \S+ completed with exit code [1-9]/m.test(result),

  promptBehind: (texts, { sameEntry }) => (sameEntry ? undefined : copilot.authored(texts).at(-1)),
};
