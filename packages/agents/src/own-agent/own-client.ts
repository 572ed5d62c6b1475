import { isStringList } from '@understudy/kit';
import {
  type AgentEnvironment,
  type Authored,
  header,
  type ProtocolName,
  type ServedClient,
  type WireRequest,
  withoutReminders,
} from '@understudy/model';
import type { ModelSettings, OwnAgent } from './definition.js';
import { nonsense, type OwnCode } from './own-code.js';

/** How SDKs of each model API want its address. */
const BASE: Record<ProtocolName, (url: string) => string> = {
  'anthropic-messages': (url) => url,
  'openai-chat': (url) => `${url}/v1`,
  'openai-responses': (url) => `${url}/v1`,
  gemini: (url) => url,
};

/** A user's agent as the model server sees it. */
export function ownClient(agent: OwnAgent, own: OwnCode): ServedClient {
  const { name, protocol, userAgent, unwrap = withoutReminders, ownRequest } = agent;
  const said = (text: string): string => own.call('unwrap', () => unwrap(text), optionalText) ?? '';
  const authored = (texts: readonly string[]): Authored[] => {
    const text = texts.map(said).join('\n').trim();
    return text === '' ? [] : [{ text }];
  };
  return {
    name,
    environment: ({ url, key }, { real }) =>
      own.call('model', () => agent.model({ baseUrl: BASE[protocol](url), key, real: real !== undefined }), settings),
    recognizes: (headers) => userAgent?.test(header(headers, 'user-agent') ?? '') ?? false,
    identify: () => ({}),
    authored,
    workingFolder: () => undefined,
    reportsFailure: () => false,
    promptBehind: (texts, { sameEntry }) => (sameEntry ? undefined : authored(texts).at(-1)),
    ...(ownRequest === undefined
      ? {}
      : { ownAnswer: (request) => own.call('ownRequest', () => ownRequest(facts(request)), optionalText) }),
  };
}

function facts({ entries, instructions, tools }: WireRequest) {
  const last = entries.findLast((entry) => entry.kind === 'user' && entry.texts.length > 0);
  const told = entries.flatMap((entry) => (entry.kind === 'system' ? [entry.text] : []));
  return {
    text: last?.kind === 'user' ? last.texts.join('\n') : '',
    system: [...instructions, ...told].join('\n'),
    tools: tools.map((tool) => tool.name),
  };
}

function settings(given: unknown): AgentEnvironment {
  const { env = {}, files = {}, args = [], ...rest } = (given ?? {}) as ModelSettings;
  const areTexts = [env, files].every((texts) => isStringList(Object.values(texts)));
  if (typeof given === 'object' && areTexts && isStringList(args) && Object.keys(rest).length === 0)
    return { env: { ...env }, files: { ...files }, args: [...args] };
  throw nonsense(given, '{ env, files, args }');
}

function optionalText(given: unknown): string | undefined {
  if (given === undefined || typeof given === 'string') return given;
  throw nonsense(given, 'a text');
}
