import { field } from '@understudy/kit';
import * as z from 'zod/mini';
import { findCrash } from './crash-traces.js';
import { defineCheck, givenAt } from './define-check.js';
import { findKeyword } from './find-words.js';
import { agentText } from './observed.js';
import { checkResultSchema, statusOf } from './result.js';
import { asksNothing } from './review-expected.js';
import { contextAround } from './text-evidence.js';

/** A verdict on how an error was handled. */
export const errorHandledResultSchema = z.extend(checkResultSchema, {
  /** No stack trace, no raw crash, and the error is spoken about. */
  graceful: z.boolean(),
  acknowledgesError: z.boolean(),
  suggestsRecovery: z.boolean(),
  /** The sentences that say what to do. */
  recoveryActions: z.array(z.string()),
});
export type ErrorHandledResult = z.infer<typeof errorHandledResultSchema>;

export interface ErrorHandledOptions {
  /** The kind of error, such as "file_not_found"; the answer must then be about it. */
  errorType?: string;
  /** Must the answer say how to go on? Yes by default. */
  shouldRecover?: boolean;
}

const TROUBLE = [
  'error',
  'problem',
  'issue',
  'fail',
  'unable',
  'missing',
  'invalid',
  'denied',
  'refused',
  'unexpected',
  'broken',
  'wrong',
  'crash',
];
const CANNOT =
  /\b(?:could not|couldn['’]t|cannot|can['’]t|can not|was(?: not|n['’]t) able|is(?: not|n['’]t) (?:there|valid|available|allowed)|do(?:es)?(?: not|n['’]t) (?:exist|seem|work)|do(?:es)?(?: not|n['’]t) have (?:permission|access)|not found|no such|ran into|went wrong)\b/gi;

/** Other words for kinds of errors; a kind that is not here is looked for by its own words. */
const KINDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['file_not_found', ['file', 'folder', 'path']],
  ['syntax_error', ['syntax', 'parse', 'malformed', 'unexpected token']],
  ['permission_denied', ['permission', 'denied', 'access', 'allowed']],
  ['timeout', ['timeout', 'timed out', 'too long', 'deadline']],
  ['network_error', ['network', 'connection', 'connect', 'reach', 'offline']],
]);
const FILLER = new Set(['error', 'not', 'the', 'a', 'of', 'failure']);

const DOING =
  'try|check|verify|confirm|make sure|ensure|look|search|list|install|create|rename|run|rerun|retry|use|provide|specify|fix|correct|update|restore|start|stop|point|tell|show|add|remove|choose|pick|ask';
/** An instruction or an offer: at the start of a clause, or after a word that leads to doing. */
const INSTRUCTION = new RegExp(
  `(?:^|[.!?:;,\\n•*–—-]\\s*|\\d\\.\\s+|\\b(?:please|then|or|and|now|first|can|could|will|should|might|would|['’]ll|let['’]s|let me|let us)\\s+)(?:${DOING})\\b`,
  'i',
);
const OFFER =
  /\b(?:let['’]s|let me|instead|alternatively|would you like|do you want|should I|shall I|could you|did you mean|next step|workaround)\b/i;
const ADVICE =
  /\bI(?:['’]d| would)? (?:suggest|recommend)\b|\byou (?:can|could|may|might) (?!not\b|see\b|find\b|notice\b)\w+|\byou(?:['’]ll| will| may| might)? (?:need|want) to\b|(?<!\b(?:unable|failed|able|tried) )\bto (?:fix|resolve|work around) (?:this|it|that)\b/i;
const WAYS_ON = [INSTRUCTION, OFFER, ADVICE];

/** Was an error handled with grace: said, without a crash, and with a way on? The word "error:" alone is no crash. */
export function checkErrorHandled(text: string, options: ErrorHandledOptions = {}): ErrorHandledResult {
  const { errorType, shouldRecover = true } = options;
  const crash = findCrash(text);
  const acknowledgement = findAcknowledgement(text);
  const about = errorType === undefined || isAbout(text, errorType);
  const recoveryActions = recoverySentences(text);
  const acknowledgesError = acknowledgement !== undefined && about;
  const suggestsRecovery = recoveryActions.length > 0;
  const graceful = crash === undefined && acknowledgesError;
  const faults = [
    ...(crash === undefined ? [] : [`it shows ${crash.what}`]),
    ...(acknowledgement === undefined ? ['it does not say that something went wrong'] : []),
    ...(about ? [] : [`it is not about ${errorType}`]),
    ...(shouldRecover && !suggestsRecovery ? ['it does not say how to go on'] : []),
  ];
  return {
    name: 'error-handled',
    category: 'text',
    subject: { kind: 'text', words: errorType === undefined ? [] : [errorType] },
    status: statusOf(faults.length === 0),
    expected: `${errorType ?? 'the error'} acknowledged, no crash shown${shouldRecover ? ', a way on suggested' : ''}`,
    actual: faults.length === 0 ? 'all of it' : faults.join('; '),
    evidence: [
      ...(crash === undefined ? [] : [`${crash.what}: ${crash.text}`]),
      ...(acknowledgement === undefined ? [] : [`acknowledged: ${acknowledgement}`]),
      ...recoveryActions.map((action) => `way on: ${action}`),
    ],
    ...(faults.length === 0
      ? {}
      : {
          suggestion: 'The answer should name the problem in a sentence and propose a next step, without raw traces.',
        }),
    graceful,
    acknowledgesError,
    suggestsRecovery,
    recoveryActions,
  };
}

function findAcknowledgement(text: string): string | undefined {
  const cannot = [...text.matchAll(CANNOT)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }));
  const trouble = TROUBLE.flatMap((word) => findKeyword(text, word).filter(({ negated }) => !negated));
  const [first] = [...cannot, ...trouble].sort((a, b) => a.start - b.start);
  return first && contextAround(text, first.start, first.end);
}

function isAbout(text: string, errorType: string): boolean {
  const own = errorType
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !FILLER.has(word));
  const words = KINDS.get(errorType.toLowerCase()) ?? own;
  return words.some((word) => findKeyword(text, word).length > 0);
}

function recoverySentences(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '' && WAYS_ON.some((pattern) => pattern.test(sentence)));
}

export const errorHandled = defineCheck({
  fields: {
    error_handled: field(
      'The answer reports an error without a crash, and suggests what to do; { recovers = false } does not ask for that.',
      z.union([
        z.boolean(),
        z.strictObject({ recovers: field('false: it need not suggest what to do.', z.boolean()) }),
      ]),
    ),
  },
  scopes: ['step', 'call'],
  page: 'checks.md#an-error-was-handled',
  judge: ({ turn }, { error_handled: handled }, place) =>
    givenAt(place)(['error_handled'], handled === false ? undefined : handled, (wanted) => [
      checkErrorHandled(agentText(turn), { shouldRecover: wanted === true ? true : (wanted.recovers ?? true) }),
    ]),
  review: (expect) => (expect.error_handled === false ? [asksNothing('error_handled')] : []),
});
