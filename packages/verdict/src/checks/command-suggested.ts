import { field, UnderstudyError, type UnlocatedProblem } from '@understudy/kit';
import * as z from 'zod/mini';
import { parseCommandName } from './command-name.js';
import { defineCheck, each, oneOrMore } from './define-check.js';
import { isNegated } from './negation.js';
import { agentText } from './observed.js';
import { checkResultSchema, statusOf } from './result.js';
import { contextAround } from './text-evidence.js';
import { wordsOf } from './words.js';

/** A verdict on a suggestion: the text that suggests it, where, and what stands around it. */
export const commandSuggestedResultSchema = z.extend(checkResultSchema, {
  commandFound: z.nullable(z.string()),
  /** Character position, or -1. */
  location: z.number(),
  context: z.string(),
});
export type CommandSuggestedResult = z.infer<typeof commandSuggestedResultSchema>;

export interface CommandSuggestedOptions {
  /** Accept "use the plan command", and the short form of a namespaced command. On by default. */
  allowVariations?: boolean;
}

/** How many characters around a mention are looked at, and how many mentions are shown. */
const LOOK_BACK = 120;
const LOOK_AHEAD = 30;
const MOST_SHOWN = 5;

interface Mention {
  text: string;
  start: number;
  /** Why it is no suggestion. */
  refusal?: string;
}

/** "skip /plan" is as good as "do not run /plan". */
const DISCOURAGING = new Set(['skip', 'avoid', 'skipping', 'avoiding', 'stop', 'forget', 'unlike', 'before', 'after']);
const PAST = new Set(['ran', 'executed', 'used', 'invoked', 'finished', 'completed', 'called', 'did']);
/** What follows a command that is not wanted now: "/plan is not needed", "/plan can wait". */
const DENIED_AFTER =
  /^["'`*”]*\s+(?:command\s+)?(?:(?:is|was|does|will|should|can|need)(?:n['’]t| not)\b|can wait\b|(?:is|was|would be|has been)\s+(?:now\s+)?(?:no longer|unnecessary|unknown|unavailable|wrong|obsolete|deprecated|gone|missing|removed|replaced|renamed|disabled)\b|no longer\b)/i;
/** What a CLI prints of a command that it does not have. */
const UNKNOWN_BEFORE =
  /\b(?:unknown|unrecogni[sz]ed|invalid|no such)\s+(?:slash\s+)?(?:command|skill)s?:?\s*["'`*“]*$/i;
/** Before these, a slash begins a path. */
const PATH_VERBS = new Set(['cd', 'ls', 'cat', 'rm', 'mkdir', 'cp', 'mv', 'folder', 'directory', 'path', 'file']);

/** Does a text suggest a slash command? A mention that is denied, reported or part of a path is no suggestion. */
export function checkCommandSuggested(
  text: string,
  command: string,
  { allowVariations = true }: CommandSuggestedOptions = {},
): CommandSuggestedResult {
  const { namespace, name } = parseCommandName(command);
  const mentions = [
    ...slashMentions(text, namespace, name, allowVariations),
    ...(allowVariations ? spokenMentions(text, namespace, name) : []),
  ].sort((a, b) => a.start - b.start);
  const suggestion = mentions.find(({ refusal }) => refusal === undefined);
  const passed = suggestion !== undefined;
  const shown = `/${namespace === undefined ? '' : `${namespace}:`}${name}`;
  const describe = ({ text: mention, start, refusal }: Mention) =>
    `${refusal ?? 'suggested'}: ${contextAround(text, start, start + mention.length)}`;
  return {
    name: 'command-suggested',
    category: 'commands',
    subject: { kind: 'command', name: shown },
    status: statusOf(passed),
    expected: `a suggestion of ${shown}`,
    actual: passed
      ? `"${suggestion.text}" is suggested`
      : mentions.length > 0
        ? `it is mentioned, but ${mentions[0]?.refusal}`
        : 'it is not mentioned',
    evidence: (passed ? [suggestion] : mentions.slice(0, MOST_SHOWN)).map(describe),
    ...(passed ? {} : { suggestion: `Make the agent say what comes next, as in: "Next, run ${shown}".` }),
    commandFound: suggestion?.text ?? null,
    location: suggestion?.start ?? -1,
    context:
      suggestion === undefined ? '' : contextAround(text, suggestion.start, suggestion.start + suggestion.text.length),
  };
}

function slashMentions(text: string, namespace: string | undefined, name: string, shortToo: boolean): Mention[] {
  const prefix = namespace === undefined ? '(?:[\\w-]{1,60}:)?' : `(?:${namespace}:)${shortToo ? '?' : ''}`;
  // Before it no path and no word; after it no longer name, no path, no file ending, no other namespace.
  const pattern = new RegExp(`(?<![\\w/.:~\\\\-])/${prefix}${name}(?![\\w/\\\\-])(?![.:]\\w)`, 'gi');
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => judged(text, { text: found, start: index }));
}

/** "use the plan command", "run `plan`", "the command plan". Bare words do not count: "execute the plan" is no command. */
function spokenMentions(text: string, namespace: string | undefined, name: string): Mention[] {
  const named = namespace === undefined ? `(?:[\\w-]{1,60}:)?${name}` : `(?:${namespace}:)?${name}`;
  const quoted = `(?<!["'\`*“])["'\`*“]{1,4}${named}["'\`*”]{1,4}`;
  const patterns = [
    `(?<![\\w/-])(?:${quoted}|${named})\\s+(?:slash\\s+)?command\\b`,
    `\\bcommand\\s+${quoted}`,
    `\\b(?:run|use|execute|invoke|try|type|call)\\s+${quoted}`,
  ];
  return patterns.flatMap((pattern) =>
    [...text.matchAll(new RegExp(pattern, 'gi'))].map(({ 0: found, index }) =>
      judged(text, { text: found, start: index }),
    ),
  );
}

function judged(whole: string, found: Mention): Mention {
  // What decides it stands near; looking at all of a long text for each mention would take for ever.
  const from = Math.max(0, found.start - LOOK_BACK);
  const text = whole.slice(from, found.start + found.text.length + LOOK_AHEAD);
  const verdict = judgedNearby(text, { ...found, start: found.start - from });
  return { ...verdict, start: found.start };
}

function judgedNearby(text: string, mention: Mention): Mention {
  const words = wordsOf(text);
  const index = words.findIndex((word) => word.end > mention.start);
  const before = words[index - 1];
  const sameClause = before !== undefined && !/[.!?;:,\n]/.test(text.slice(before.end, mention.start));
  const after = text.slice(mention.start + mention.text.length);
  if (isNegated(text, words, index) || DENIED_AFTER.test(after)) return { ...mention, refusal: 'it is denied' };
  if (UNKNOWN_BEFORE.test(text.slice(0, mention.start))) return { ...mention, refusal: 'it is said to be unknown' };
  if (!sameClause) return mention;
  if (DISCOURAGING.has(before.plain)) return { ...mention, refusal: 'it is advised against' };
  if (PAST.has(before.plain)) return { ...mention, refusal: 'it is reported as done' };
  if (PATH_VERBS.has(before.plain) && mention.text.startsWith('/')) return { ...mention, refusal: 'it is a path' };
  return mention;
}

export const suggests = defineCheck({
  fields: { suggests: field('A command that the answer suggests, or a list of commands: all of them.', oneOrMore) },
  scopes: ['step', 'call'],
  page: 'checks.md#a-command-was-suggested',
  judge: ({ turn }, { suggests }, place) => {
    const text = agentText(turn);
    if (typeof suggests === 'string') return place(['suggests'], [checkCommandSuggested(text, suggests)]);
    return each(place, ['suggests'], suggests, (command) => [checkCommandSuggested(text, command)]);
  },
  review: ({ suggests = [] }) => [suggests].flat().flatMap(reviewCommand),
});

function reviewCommand(command: string): UnlocatedProblem[] {
  try {
    parseCommandName(command);
    return [];
  } catch (error) {
    if (!(error instanceof UnderstudyError)) throw error;
    return [{ code: error.code, message: error.message, fix: error.fix ?? '', path: ['suggests'] }];
  }
}
