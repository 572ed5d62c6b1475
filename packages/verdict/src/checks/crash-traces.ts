/** A sign that something crashed: which kind, and the text that shows it. */
export interface Crash {
  what: string;
  text: string;
}

/** What runtimes print when they crash, one pattern per runtime. Prose about a traceback matches none of them. */
const TRACES: readonly { what: string; pattern: RegExp }[] = [
  { what: 'a Python traceback', pattern: /^[ \t]*Traceback \(most recent call last\):/m },
  { what: 'a Python traceback', pattern: /^[ \t]*File "[^"\n]+", line \d+, in \S+/m },
  { what: 'a JavaScript stack trace', pattern: /^[ \t]+at [^\n]*(?::\d+:\d+|<anonymous>)\)?[ \t]*$/m },
  { what: 'a Java stack trace', pattern: /^[ \t]+at [\w$.<>]+\([\w$]+\.(?:java|kt|scala):\d+\)/m },
  { what: 'a Java stack trace', pattern: /^Exception in thread "/m },
  { what: 'a Go panic', pattern: /^(?:panic: .*|goroutine \d+ \[[^\]]+\]:)$/m },
  { what: 'a Rust panic', pattern: /^thread '[^']*' panicked at /m },
  { what: 'a Ruby error', pattern: /^[ \t]*\S+\.rb:\d+:in [`'][^\n]*: [^\n]* \(\w+\)$/m },
  { what: 'a PHP error', pattern: /^(?:PHP )?Fatal error: {1,2}\S/m },
  { what: 'a .NET exception', pattern: /^Unhandled exception\. \S|^[ \t]+at [^\n]+ in [^\n]+:line \d+$/m },
  { what: 'a crashed process', pattern: /\bSegmentation fault\b|\bcore dumped\b/ },
  { what: 'an unhandled rejection', pattern: /\bUnhandledPromiseRejection\b|^\(node:\d+\) |^node:internal\//m },
];

/** An answer that is nothing but a runtime's message, such as "TypeError: x is undefined". */
const RAW_MESSAGE = /^(?:Uncaught )?(?:[A-Z]\w*(?:Error|Exception)|fatal|FATAL(?: ERROR)?): .+$/;

/** The first sign of a crash in a text, if there is one. */
export function findCrash(written: string): Crash | undefined {
  // A trace in a block quote is still a trace.
  const text = written.replace(/^(?:[ \t]*>)+[ \t]?/gm, '');
  for (const { what, pattern } of TRACES) {
    const match = pattern.exec(text);
    if (match !== null) return { what, text: match[0].trim() };
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [only] = lines;
  if (lines.length === 1 && only !== undefined && RAW_MESSAGE.test(only.trim()) && !/[.!?]\s+\S/.test(only)) {
    return { what: 'a raw error message and nothing else', text: only.trim() };
  }
  return undefined;
}
