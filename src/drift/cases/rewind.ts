import { type Case, control, LIVING, type Run, STREAM, type Step, say, type Talk, tool } from '../case.js';
import { SESSION, says } from './parts.js';

const FIRST = '11111111-1111-4111-8111-111111111111';
const SECOND = '22222222-2222-4222-8222-222222222222';
const send = (uuid: string, content: string): Talk[] => [
  { send: { type: 'user', uuid, message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' } },
  { until: 'result' },
];
const INIT = control('init', { subtype: 'initialize' });
const ARGS = [...LIVING, '--permission-mode', 'acceptEdits'];
const KEEPS = { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1' };
const FILES = { 'a.txt': 'one\n', 'b.txt': 'b\n', 'sub/c.txt': 'c\n' };

const edit = (file: string, from: string, to: string): Step[] => [
  tool('Read', { file_path: file }),
  tool('Edit', { file_path: file, old_string: from, new_string: to }),
];
const CHANGES = [
  ...edit('a.txt', 'one', 'two'),
  tool('Write', { file_path: 'new.txt', content: 'x\ny\n' }),
  say('done'),
];
const MORE = [tool('Edit', { file_path: 'a.txt', old_string: 'two', new_string: 'three' }), say('again')];
const runs = (command: string): Step[] => [tool('Bash', { command }), say('looked')];
const LOOK = runs('cat a.txt b.txt sub/c.txt; ls -R');

const rewind = (id: string, to?: string, more: object = {}) =>
  control(id, { subtype: 'rewind_files', ...(to === undefined ? {} : { user_message_id: to }), ...more });
const look = (id: string, to: string) => rewind(id, to, { dry_run: true });

/** A host that goes back to an earlier state of the files. */
const living = (name: string, turns: Step[][], talk: Talk[], more: Partial<Case> = {}): Case => ({
  ...{ name: `rewind: ${name}`, args: ARGS, files: FILES, env: KEEPS, turns },
  talk: [...INIT, ...talk],
  ...more,
});
/** The same in a later process. */
const later = (name: string, args: string[], more: Partial<Run>): Case => ({
  ...{ name: `rewind later: ${name}`, args, files: FILES, env: KEEPS, turns: [LOOK, LOOK] },
  ...more,
  before: [{ args: [...ARGS, '--session-id', SESSION], turns: [CHANGES], talk: [...INIT, ...send(FIRST, 'first')] }],
});
const alone = (...args: string[]): string[] => ['-p', ...args, '--rewind-files', FIRST];
const BOTH = [...send(FIRST, 'first'), ...send(SECOND, 'second')];

/** Checkpoints of files, as the Agent SDK asks for them (`enableFileCheckpointing`, `rewindFiles`). */
export const REWIND_CASES: readonly Case[] = [
  living('to the first message', [CHANGES, MORE, LOOK], [...BOTH, ...rewind('to', FIRST), ...says('look')]),
  living('to the second message', [CHANGES, MORE, LOOK], [...BOTH, ...rewind('to', SECOND), ...says('look')]),
  living('a look', [CHANGES, MORE, LOOK], [...BOTH, ...look('a', FIRST), ...look('b', SECOND), ...says('look')]),
  living(
    'back and forth',
    [CHANGES, MORE, LOOK, LOOK],
    [...BOTH, ...rewind('a', SECOND), ...rewind('b', FIRST), ...says('look'), ...rewind('c', SECOND), ...says('look')],
  ),
  living(
    'files of a later message',
    [[say('ok')], CHANGES, LOOK],
    [...BOTH, ...look('a', FIRST), ...rewind('b', FIRST), ...says('look')],
  ),
  living(
    'what the shell did',
    [CHANGES, runs('echo out > a.txt; rm new.txt; echo c > c.txt'), LOOK],
    [...BOTH, ...look('a', FIRST), ...rewind('b', FIRST), ...says('look')],
  ),
  living(
    'a file that is gone',
    [[...edit('b.txt', 'b', 'd'), ...runs('rm b.txt')], LOOK],
    [...send(FIRST, 'first'), ...look('a', FIRST), ...rewind('b', FIRST), ...says('look')],
  ),
  living(
    'folders',
    [[tool('Write', { file_path: 'deep/x/y.txt', content: 'x' }), ...edit('sub/c.txt', 'c', 'd'), say('done')], LOOK],
    [...send(FIRST, 'first'), ...rewind('a', FIRST), ...says('look')],
  ),
  living(
    'a subagent',
    [
      [
        {
          ...tool('Agent', {
            description: 'x',
            prompt: 'y',
            subagent_type: 'general-purpose',
            run_in_background: false,
          }),
          subagent: [tool('Write', { file_path: 'sub.txt', content: 'x' }), say('sub')],
        },
        say('done'),
      ],
      LOOK,
    ],
    [...send(FIRST, 'first'), ...look('a', FIRST), ...rewind('b', FIRST), ...says('look')],
  ),
  living(
    'nothing',
    [[say('ok')], LOOK],
    [...send(FIRST, 'first'), ...look('a', FIRST), ...rewind('b', FIRST), ...says('look')],
  ),
  living(
    'what is no message',
    [CHANGES],
    [...send(FIRST, 'first'), ...rewind('a', SECOND), ...rewind('b'), ...look('c', SECOND)],
  ),
  living(
    'an edit after it',
    [CHANGES, edit('a.txt', 'one', 'five').slice(1).concat(say('ok'))],
    [...send(FIRST, 'first'), ...rewind('a', FIRST), ...says('again')],
  ),
  living('off', [CHANGES], [...send(FIRST, 'first'), ...rewind('a', FIRST)], { env: {} }),
  living('turned off', [CHANGES], [...send(FIRST, 'first'), ...rewind('a', FIRST)], {
    env: { ...KEEPS, CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING: '1' },
  }),
  later('before a prompt', [...ARGS, '--resume', SESSION], { talk: [...INIT, ...rewind('a', FIRST), ...says('look')] }),
  later('after a prompt', [...ARGS, '--resume', SESSION], {
    talk: [...INIT, ...says('look'), ...rewind('a', FIRST), ...says('look')],
  }),
  later('a fork', [...ARGS, '--resume', SESSION, '--fork-session'], {
    talk: [...INIT, ...says('look'), ...rewind('a', FIRST), ...says('look')],
  }),
  later('a flag', alone('--resume', SESSION), {}),
  later('a flag and a stream', [...STREAM, '--resume', SESSION, '--rewind-files', FIRST], {}),
  later('a flag and no message', ['-p', '--resume', SESSION, '--rewind-files', SECOND], {}),
  later('a flag and a prompt', alone('go', '--resume', SESSION), {}),
  later('a flag and no session', alone(), {}),
];
