import { type Case, fail, LIVING, STREAM, say, tool } from '../case.js';
import { BEFORE, REFUSED, SESSION, says, userHooks } from './parts.js';

const TOO_LONG = fail({ type: 'context_length' });

/** Conversations that are replaced by a summary: because somebody asks for it, or because they are too long. */
export const COMPACTION_CASES: readonly Case[] = [
  {
    name: 'compact after several exchanges',
    args: LIVING,
    turns: [[tool('Bash', { command: 'ls' }), say('one')], [say('two')], [say('three')]],
    talk: says('a', 'b', '/compact', 'c'),
  },
  {
    name: 'too long at the second prompt',
    args: LIVING,
    turns: [[TOO_LONG], [TOO_LONG]],
    talk: says('a', 'b'),
    env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  },
  {
    name: 'nothing to compact but the context of a hook',
    args: [...STREAM, '/compact'],
    files: userHooks({
      SessionStart: `echo '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"context"}}'`,
    }),
  },
  {
    name: 'compact after a prompt that was refused',
    args: LIVING,
    talk: says('before', '/compact', 'hi'),
    files: REFUSED.files,
  },
  {
    name: 'compact with hooks',
    args: [...LIVING, '--include-hook-events'],
    turns: [[say('one')], [say('two')], [say('three')]],
    talk: says('a', 'b', '/compact', 'c'),
    files: userHooks({ SessionStart: 'echo started', PreCompact: 'echo pre', PostCompact: 'echo bad >&2; exit 1' }),
  },
  {
    name: 'compact after a failure',
    args: LIVING,
    turns: [[TOO_LONG], [say('two')], [say('three')]],
    talk: says('a', '/compact', 'b', '/compact', 'c'),
  },
  {
    name: 'too long at the third prompt',
    args: LIVING,
    turns: [[say('one')], [say('two')], [TOO_LONG, say('three')], [say('four')]],
    talk: says('a', 'b', 'c', 'd'),
    files: userHooks({ SessionStart: 'echo started', PreCompact: 'echo pre' }),
  },
  {
    name: 'too long after one exchange',
    args: [...STREAM, 'hi', '--resume', SESSION],
    turns: [[TOO_LONG]],
    before: [BEFORE],
  },
  {
    name: 'too long, and not to be compacted',
    args: LIVING,
    turns: [[say('one')], [say('two')], [TOO_LONG, say('three')]],
    talk: says('a', 'b', 'c'),
    files: userHooks({ PreCompact: 'exit 2' }),
  },
  {
    name: 'compact with a model that nobody knows',
    args: ['-p', '/compact', '--resume', SESSION, '--model', 'of-nobody'],
    before: [BEFORE],
  },
  {
    name: 'nothing to compact but the failure of a hook',
    args: [...STREAM, '/compact'],
    files: userHooks({ SessionStart: 'exit 1' }),
  },
  {
    name: 'nothing to compact after a silent hook',
    args: [...STREAM, '/compact'],
    files: userHooks({ SessionStart: 'true' }),
  },
];
