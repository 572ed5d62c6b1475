import {
  authoredApartFrom,
  factIn,
  header,
  type Identity,
  parseObject,
  type ServedClient,
  stringOf,
} from '@understudy/model';
import { environment } from './environment.js';

/** Messages in the user's role that Codex wrote. */
const OWN =
  /^\s*(?:<(?:environment_context|user_instructions|turn_aborted|skill|user_shell_command|permissions|subagent_notification)\b|# AGENTS\.md instructions)/;

/** Codex: it describes a request in one header. */
export const codex: ServedClient = {
  name: 'codex',
  environment,

  recognizes: (headers) => header(headers, 'originator')?.startsWith('codex') ?? false,

  identify(headers): Identity {
    const turn = parseObject(header(headers, 'x-codex-turn-metadata') ?? '{}');
    const agent = stringOf(turn['agent_name']);
    const kind = stringOf(turn['request_kind']);
    return {
      session: header(headers, 'thread-id') ?? header(headers, 'session-id'),
      agentName: agent === '/root' ? undefined : agent,
      errand: kind === 'turn' ? undefined : kind,
    };
  },

  authored: (texts) => authoredApartFrom(OWN, texts),

  workingFolder: (request) => factIn(request, /<cwd>(.+?)<\/cwd>/),

  reportsFailure: (result) => /^Process exited with code [1-9]/m.test(result),

  promptBehind: (texts, { sameEntry }) => (sameEntry ? undefined : codex.authored(texts).at(-1)),
};
