import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  asUnderstudyError,
  errorCodes,
  formatLocation,
  InvalidDocumentError,
  type Problem,
  UnderstudyError,
} from '@understudy/kit';

interface Issue {
  code?: string | undefined;
  path: readonly PropertyKey[];
  message: string;
}

/** Something that kept a tool from doing its job, as a result: code, sentence, location, fix. */
export function toolError(error: unknown): CallToolResult {
  const known = asUnderstudyError(error);
  const problems = known instanceof InvalidDocumentError ? known.problems : [];
  const location = formatLocation(known.location);
  const fix = known.fix ?? errorCodes[known.code].fix;
  const text = [
    `${known.code}: ${known.message}`,
    ...(location === '' ? [] : [`at ${location}`]),
    ...problems.map(problemText),
    `fix: ${fix}`,
  ].join('\n');
  const structuredContent = {
    error: {
      code: known.code,
      message: known.message,
      fix,
      ...(location === '' ? {} : { location }),
      ...(problems.length === 0 ? {} : { problems: problems.map(problemText) }),
    },
  };
  return { isError: true, content: [{ type: 'text', text }], structuredContent };
}

/** So many of them are shown: who sends a thousand wrong values does not want to read each. */
const SHOWN_ISSUES = 10;

/** Arguments that do not fit the tool. */
export function badInput(tool: string, issues: readonly Issue[]): UnderstudyError {
  const told = issues.slice(0, SHOWN_ISSUES);
  const more = issues.length > told.length ? `; and ${issues.length - told.length} more` : '';
  const wrong = told.map(({ path, message }) => `${path.map(String).join('.') || 'arguments'}: ${message}`).join('; ');
  const places = [...new Set(told.map(({ path }) => path.map(String).join('.') || 'the arguments'))].join(', ');
  return new UnderstudyError('MCP_BAD_INPUT', `${tool} cannot take these arguments: ${wrong}${more}`, {
    fix: `Correct ${places}; the input schema of ${tool} says what it takes.`,
  });
}

function problemText({ code, message, fix, location, path }: Problem): string {
  const where = formatLocation(location) || path || 'document';
  return `${where} ${message} [${code}]${fix === undefined ? '' : ` (${fix})`}`;
}
