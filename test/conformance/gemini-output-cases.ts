import { contains, json, stream, text } from './gemini-runs.js';
import type { ScriptedCase, ScriptedRun } from './scripted-case.js';

const SCENARIO = {
  responses: [
    {
      pattern: contains('colors'),
      response: '\u001b[31mred\u001b[0m, \u001b]0;title\u0007 plain\u0007 \u009b1m \r\n end\u001b[2J',
    },
    { pattern: contains('said'), response: '<{{prompt}}>' },
  ],
};

const one = (name: string, ...runs: ScriptedRun[]): ScriptedCase => ({ name, runs, scenario: SCENARIO });

/** Flags that change what is printed. */
export const GEMINI_OUTPUT_CASES: readonly ScriptedCase[] = [
  one('colors of the model', text('-p', 'colors'), json('-p', 'colors'), stream('-p', 'colors')),
  one(
    'raw output',
    text('--raw-output', '-p', 'colors'),
    json('--raw-output', '-p', 'colors'),
    stream('--raw-output', '-p', 'colors'),
  ),
  one(
    'raw output without a warning',
    text('--raw-output', '--accept-raw-output-risk', '-p', 'colors'),
    text('--accept-raw-output-risk', '-p', 'colors'),
  ),
  one('no extensions', text('-e', 'none', '-p', 'said'), stream('--extensions=', '-p', 'said')),
  one('an extension that is missing', text('-e', 'nosuch', '-p', 'said')),
  one('a list of extensions', { args: ['-l'] }, { args: ['--list-extensions', '-o', 'json'] }),
  one(
    'a session id that is taken',
    stream('--session-id', 'abc', '-p', 'said'),
    stream('--session-id', 'abc', '-p', 'said'),
  ),
  one('a session id that is odd', text('--session-id', 'a b', '-p', 'said'), text('--session-id', ' ', '-p', 'said')),
];
