const MONTHS = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}';
const DAYS = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}';

/** What differs from one run to the next in any text. */
const EVERYWHERE: readonly [RegExp, string][] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b(?:toolu|srvtoolu|msg|call|req|resp|chatcmpl|ses|prt|fc|rs)[_-][A-Za-z0-9_-]{6,200}/g, '<id>'],
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?)?/g, '<date>'],
  [new RegExp(`\\b(?:${DAYS},? )?${MONTHS} {1,2}\\d{1,2}(?:,? (?:\\d{4}|\\d{2}:\\d{2}(?::\\d{2})?))*`, 'g'), '<date>'],
  [new RegExp(`\\b(?:${DAYS},? )?\\d{1,2} ${MONTHS}(?: \\d{4})?`, 'g'), '<date>'],
  [/\b\d{1,2}:\d{2}:\d{2}(?:\.\d{1,9})?\b/g, '<time>'],
  [/\b(?=[0-9a-f]{0,63}\d)(?=[0-9a-f]{0,63}[a-f])[0-9a-f]{7,64}\b/g, '<hash>'],
  [/\b(127\.0\.0\.1|localhost|\[::1\]):\d{2,5}\b/g, '$1:<port>'],
  [/(?:\{\{tmp\}\}|(?:\/private)?\/var\/folders\/[\w+]+\/[\w+]+\/T|\/tmp)\/[\w.@+-]+/g, '<temp>'],
];

/** What differs in the output of tools. In a prompt, these words are the user's own. */
const IN_RESULTS: readonly [RegExp, string][] = [
  [/\b\d+(?:\.\d+)? ?(?:ms|µs|ns|s|secs?|seconds?|minutes?)\b/g, '<duration>'],
  [/\bv?\d+\.\d+\.\d+(?:[-+.][0-9A-Za-z.-]{1,40})?\b/g, '<version>'],
  // As Codex reports a command: {"chunk_id":"72f963","wall_time_seconds":0.000023667}
  [/\b(\w*(?:time|duration|elapsed)(?:_?(?:seconds|secs|ms)|_s)"? ?[:=] ?)\d+(?:\.\d+)?(?:e-?\d+)?/gi, '$1<duration>'],
  [/\b(chunk[_ ]id"? ?[:=] ?"?)[0-9a-f]{4,64}\b/gi, '$1<id>'],
  [/\b(pid|pgid|process)([ :=]{1,2})\d+\b/gi, '$1$2<pid>'],
];

export type TextKind = 'prompt' | 'result';

/** A text without what differs from one run to the next. */
export function withoutVolatile(text: string, kind: TextKind): string {
  let stable = text.replace(/\r\n/g, '\n').trim();
  for (const [pattern, name] of EVERYWHERE) stable = stable.replace(pattern, name);
  if (kind === 'result') for (const [pattern, name] of IN_RESULTS) stable = stable.replace(pattern, name);
  return stable;
}
