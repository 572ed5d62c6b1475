import { COMPACTION_ANSWER, NOTICE_ANSWER, titleFrom } from '@understudy/script';
import type { OwnQuestion } from './clients/client.js';
import type { Question } from './conversations.js';
import { instanceOf } from './schema-instance.js';
import type { WireRequest } from './wire/protocol.js';

/** Kinds of requests that a CLI sends on its own, without a prompt of the user. */
export type AuxiliaryKind = 'warm-up' | 'title' | 'structured' | 'compaction' | 'notification' | 'errand' | OwnQuestion;

export interface Auxiliary {
  kind: AuxiliaryKind;
  /** Absent: the model says nothing. */
  text?: string;
}

const TITLE =
  /title generator|naming a coding session|generate a (?:short |brief |concise )?title|write a .{0,40}title/i;
/** What Gemini CLI asks about an earlier session, to list it. */
const SESSION_SUMMARY = /^Summarize the user's primary intent or goal in this conversation/;
const COMPACTION =
  /create a detailed summary of (?:the|our) conversation|tasked with summarizing conversations|<state_snapshot>/;

export function isCompaction(text: string): boolean {
  return COMPACTION.test(text);
}

/**
 * Recognizes, by its shape, a request that no user caused. Such a request matches no rule. Requests from a client
 * library are never auxiliary.
 */
export function recognizeAuxiliary({
  request,
  transcript,
  client,
  identity,
}: Pick<Question, 'request' | 'transcript' | 'client' | 'identity'>): Auxiliary | undefined {
  if (client.name === 'library') return undefined;
  const words = transcript.prompt?.text ?? '';
  if (identity.errand !== undefined) return { kind: 'errand', text: 'Done.' };
  const answer = client.ownAnswer?.(request);
  if (answer !== undefined) return { kind: 'errand', text: answer };
  const own = client.ownQuestion?.(words);
  if (own !== undefined) return { kind: own };
  if (request.toolless) {
    if (request.maxTokens === 1) return { kind: 'warm-up', text: 'ok' };
    if (request.answerSchema !== undefined) {
      const kind = TITLE.test(transcript.system) ? 'title' : 'structured';
      return { kind, text: JSON.stringify(instanceOf(request.answerSchema, titleFrom(words))) };
    }
    if (TITLE.test(transcript.system)) return { kind: 'title', text: titleFrom(words) };
    if (SESSION_SUMMARY.test(words)) return { kind: 'title', text: titleFrom('') };
    if (COMPACTION.test(transcript.system)) return { kind: 'compaction', text: COMPACTION_ANSWER };
  }
  if (COMPACTION.test(words)) return { kind: 'compaction', text: COMPACTION_ANSWER };
  if (transcript.prompt === undefined && transcript.results.length === 0 && isNotice(request))
    return { kind: 'notification', text: NOTICE_ANSWER };
  return undefined;
}

/** A notice of the CLI in the user's role, such as the end of a background task. */
function isNotice(request: WireRequest): boolean {
  const last = request.entries.findLast((entry) => entry.kind !== 'system');
  return last?.kind === 'user' && last.texts.length > 0;
}
