import type { HookVerdict } from '../../../claude-code/hooks/verdict.js';
import { isObject, type JsonObject } from '../../../document/json.js';
import { writeOut } from '../../shared/write-out.js';
import type { Session } from '../session/session.js';
import type { ToolRun } from '../tools/live-tool.js';

type Shown = Pick<ToolRun, 'content' | 'useResult'>;

/** What the model reads of a tool: its result, or what a PostToolUse hook says instead. */
export function shownOutput(
  session: Session,
  { name, id }: { name: string; id: string },
  run: Shown,
  { updatedOutput: updated = {} }: HookVerdict,
): Shown {
  const isOfServer = name.startsWith('mcp__');
  const value = updated.ofTool ?? (isOfServer ? updated.ofServer : undefined);
  if (value === undefined) return run;
  if (isOfServer) {
    const isContent = typeof value === 'string' || Array.isArray(value);
    return { content: isContent ? (value as ToolRun['content']) : JSON.stringify(value), useResult: value };
  }
  if (name !== 'Bash') {
    writeOut(2, `understudy: the stand-in cannot show another result of ${name}\n`);
    return run;
  }
  const wrong = wrongFields(value);
  if (wrong.length > 0) {
    complain(session, name, id, wrong);
    return run;
  }
  const { stdout, stderr } = value as { stdout: string; stderr: string };
  const said = [stdout.trimEnd(), stderr.trim()].filter(Boolean).join('\n');
  return { content: said === '' ? '(Bash completed with no output)' : said, useResult: value };
}

const BASH_FIELDS = { stdout: 'string', stderr: 'string', interrupted: 'boolean' };

/** What is wrong with a result of Bash, in the words of the CLI. */
function wrongFields(value: unknown): JsonObject[] {
  const other = (path: string[], expected: string, received: unknown): JsonObject => ({
    ...{ expected, code: 'invalid_type', path },
    message: `Invalid input: expected ${expected}, received ${received === null ? 'null' : typeof received}`,
  });
  if (!isObject(value)) return [other([], 'object', value)];
  return Object.entries(BASH_FIELDS).flatMap(([field, kind]) =>
    typeof value[field] === kind ? [] : [other([field], kind, value[field])],
  );
}

function complain(session: Session, name: string, toolUseID: string, wrong: readonly JsonObject[]): void {
  const content =
    `PostToolUse hook returned updatedToolOutput that does not match ${name}'s output shape; using original output. ` +
    JSON.stringify(wrong, null, 2);
  session.atWork.saidOfResult.push({
    type: 'attachment',
    attachment: {
      ...{ type: 'hook_error_during_execution', content, hookName: `PostToolUse:${name}` },
      ...{ toolUseID, hookEvent: 'PostToolUse' },
    },
    timestamp: session.parts.clock.timestamp(),
  });
}
