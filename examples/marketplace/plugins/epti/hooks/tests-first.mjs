// PreToolUse: implementation files may change only after the tests of this round are committed.
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { kindOf } from './file-kinds.mjs';
import { newestCodeCommit, pathInside, realPath, repositoryOf, uncommittedTests } from './git-history.mjs';
import { filesWrittenBy } from './shell-writes.mjs';

function filesToBeWritten({ tool_name: tool, tool_input: input = {}, cwd }) {
  if (tool === 'Bash') return filesWrittenBy(String(input.command ?? ''), cwd);
  const path = input.file_path ?? input.notebook_path;
  return typeof path === 'string' ? [resolve(cwd, path)] : [];
}

function whyClosed(repository) {
  const open = uncommittedTests(repository);
  if (open.length > 0)
    return `these tests are not committed yet: ${open.join(', ')}. Commit them with /epti:commit-tests.`;
  const newest = newestCodeCommit(repository);
  if (newest === undefined) return 'no tests are committed yet. Begin with /epti:write-tests.';
  if (newest.kind === 'implementation')
    return `the newest code commit ("${newest.subject}") holds implementation, so this round has no committed tests. Begin with /epti:write-tests.`;
  return undefined;
}

function refusalFor(path, cwd) {
  const file = realPath(path);
  const repository = repositoryOf(file);
  if (repository === undefined) {
    const local = relative(realPath(cwd), file);
    if (local.startsWith('..') || kindOf(local) !== 'implementation') return undefined;
    return `Tests first: ${local} is implementation, and without a git repository no committed tests can be seen. Run git init.`;
  }
  const local = pathInside(repository, file);
  if (kindOf(local) !== 'implementation') return undefined;
  const reason = whyClosed(repository);
  return reason && `Tests first: ${local} is implementation, and ${reason}`;
}

function decide(payload) {
  for (const path of filesToBeWritten(payload)) {
    try {
      const refusal = refusalFor(path, payload.cwd);
      if (refusal !== undefined) return refusal;
    } catch (error) {
      // A guard that cannot look does not wave things through.
      return `Tests first: git could not be asked about ${path}: ${String(error.stderr ?? error.message).trim()}`;
    }
  }
  return undefined;
}

const refusal = process.env.EPTI_GATE === 'off' ? undefined : decide(JSON.parse(readFileSync(0, 'utf8')));
if (refusal !== undefined) {
  process.stdout.write(
    JSON.stringify({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: refusal,
      },
    }),
  );
}
