import {
  asUnderstudyError,
  errorCodes,
  formatLocation,
  forTerminal,
  InvalidDocumentError,
  type Problem,
  paint,
  type UnderstudyError,
  visibleJson,
} from '@understudy/kit';

/** Prints a line for people. Nothing in it can steer the terminal, wherever it comes from. */
export function print(line = ''): void {
  process.stdout.write(`${forTerminal(line)}\n`);
}

/** Prints a line for people that is no part of the result. */
export function printNote(line: string): void {
  process.stderr.write(`${forTerminal(line)}\n`);
}

/** Prints the one JSON document that `--json` asks for. */
export function printJson(value: unknown): void {
  process.stdout.write(`${visibleJson(value)}\n`);
}

/** Prints an error: its code and message, then each problem with its location, frame and fix. */
export function printError(error: unknown, { json = false } = {}): void {
  if (json) printJson({ ok: false, error: errorToJson(error) });
  else printNote(formatError(error));
}

/** Prints what went wrong beside the work itself. */
export function printWarning(error: unknown): void {
  printNote(formatError(error, paint.yellow('warning')));
}

function formatError(error: unknown, word = paint.red('error')): string {
  const known = asUnderstudyError(error);
  if (known.code === 'INTERNAL') {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `${word} ${paint.bold('INTERNAL')}: this is a fault in understudy\n${indent(text, 2)}`;
  }
  const lines = [`${word} ${paint.bold(known.code)}: ${known.message}`];
  if (known instanceof InvalidDocumentError)
    lines.push(...known.problems.map((problem) => formatProblem(problem, 'red')));
  else {
    const location = formatLocation(known.location);
    if (location !== '' && !known.message.includes(location)) lines.push(`  at ${location}`);
    lines.push(`  ${paint.green('fix')}: ${fixOf(known)}`);
  }
  return lines.join('\n');
}

/** One problem of a document, with its frame. */
export function formatProblem(problem: Problem, color: 'red' | 'yellow'): string {
  const location = formatLocation(problem.location) || problem.path || 'document';
  const lines = [`\n${paint[color](location)} ${problem.message} ${paint.dim(`[${problem.code}]`)}`];
  if (problem.frame !== undefined) lines.push(indent(problem.frame, 2));
  if (problem.fix !== undefined) lines.push(`  ${paint.green('fix')}: ${indent(problem.fix, 2).trimStart()}`);
  return lines.join('\n');
}

export function errorToJson(error: unknown): Record<string, unknown> {
  const known = asUnderstudyError(error);
  return {
    code: known.code,
    message: known.message,
    fix: fixOf(known),
    location: known.location,
    ...(known instanceof InvalidDocumentError ? { problems: known.problems } : {}),
  };
}

/** The error's own fix, or the usual one of its code. */
function fixOf({ code, fix }: UnderstudyError): string {
  return fix ?? errorCodes[code].fix;
}

function indent(text: string, by: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(by));
}
