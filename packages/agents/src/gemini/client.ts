import { authoredApartFrom, factIn, header, type ServedClient } from '@understudy/model';
import { environment } from './environment.js';

/** What Gemini CLI says in the user's name. */
const OWN = /^\s*<session_context\b/;

/** What hooks add: a text of its own, or the beginning of the prompt. */
const HOOK_CONTEXT = /^\s*<hook_context>[^<]*<\/hook_context>\s*/;

function withoutHooks(text: string): string[] {
  const rest = text.replace(HOOK_CONTEXT, '');
  return rest === '' && text !== '' ? [] : [rest];
}

/** Gemini CLI: it names no session, so that only the transcript distinguishes them. */
export const geminiCli: ServedClient = {
  name: 'gemini',
  environment,

  recognizes: (headers) => header(headers, 'user-agent')?.startsWith('GeminiCLI') ?? false,

  identify: () => ({}),

  authored: (texts) => authoredApartFrom(OWN, texts.flatMap(withoutHooks)),

  workingFolder: (request) => factIn(request, /\*\*Workspace Directories:\*\*\n\s*- (.+)/),

  reportsFailure: (result) => /^Exit Code: [1-9]/m.test(result),

  promptBehind: (texts, { sameEntry }) => (sameEntry ? undefined : geminiCli.authored(texts).at(-1)),
};
