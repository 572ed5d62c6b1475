import pc from 'picocolors';
import { errorCodes } from '../error-codes/error-codes.js';
import { formatLocation, InvalidDocumentError, type Problem, UnderstudyError } from '../errors.js';

/** Prints a line for people. */
export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Prints the one JSON document that `--json` asks for. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints an error: its code and message, then each problem with its location, frame and fix. */
export function printError(error: unknown, { json = false } = {}): void {
  if (json) printJson({ ok: false, error: errorToJson(error) });
  else process.stderr.write(`${formatError(error)}\n`);
}

export function formatError(error: unknown): string {
  if (!(error instanceof UnderstudyError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `${pc.red('error')} ${pc.bold('INTERNAL')}: this is a fault in understudy\n${indent(text, 2)}`;
  }
  const lines = [`${pc.red('error')} ${pc.bold(error.code)}: ${error.message}`];
  if (error instanceof InvalidDocumentError)
    lines.push(...error.problems.map((problem) => formatProblem(problem, 'red')));
  else {
    const location = formatLocation(error.location);
    if (location !== '' && !error.message.includes(location)) lines.push(`  at ${location}`);
    lines.push(`  ${pc.green('fix')}: ${fixOf(error)}`);
  }
  return lines.join('\n');
}

/** One problem of a document, with its frame. */
export function formatProblem(problem: Problem, color: 'red' | 'yellow'): string {
  const location = formatLocation(problem.location) || problem.path || 'document';
  const lines = [`\n${pc[color](location)} ${problem.message} ${pc.dim(`[${problem.code}]`)}`];
  if (problem.frame !== undefined) lines.push(indent(problem.frame, 2));
  if (problem.fix !== undefined) lines.push(`  ${pc.green('fix')}: ${indent(problem.fix, 2).trimStart()}`);
  return lines.join('\n');
}

export function errorToJson(error: unknown): Record<string, unknown> {
  if (!(error instanceof UnderstudyError)) {
    return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) };
  }
  return {
    code: error.code,
    message: error.message,
    fix: fixOf(error),
    location: error.location,
    ...(error instanceof InvalidDocumentError ? { problems: error.problems } : {}),
  };
}

/** The error's own fix, or the usual one of its code. */
function fixOf({ code, fix }: UnderstudyError): string {
  return fix ?? errorCodes[code].fix;
}

function indent(text: string, by: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(by));
}
