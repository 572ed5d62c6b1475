import { field, required } from '@understudy/kit';
import { count, positive, runExpectationSchema, saying, signalName, words } from '@understudy/verdict';
import * as z from 'zod/mini';

/** One step that runs a program. */
export const runStepSchema = z.strictObject({
  name: field('A name for people.', z.string()),
  run: required(
    'The program and its arguments, as a list; or a line for the shell.',
    z.union([z.string().check(z.minLength(1)), words]),
  ),
  stdin: field('What the program reads from stdin. By default it is empty.', z.string(), ''),
  env: field(
    'Variables for the program. PATH is a list of folders that come first.',
    z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  ),
  cwd: field('The folder of the project in which the program runs.', z.string()),
  timeout_ms: field('Milliseconds after which the program is killed, and fails. By default 180000.', positive, 180_000),
  signal: field(
    'A signal that is sent while the program runs.',
    z.strictObject({
      send: required('The signal, such as SIGINT.', signalName),
      after_ms: field('Milliseconds after the start at which it is sent.', count),
      after_call: field('The number of the call at whose begin it is sent, from 1.', positive),
      to: field(
        'program: to the program alone. group: to all of its processes, as Ctrl-C does (the default for SIGINT).',
        z.enum(['program', 'group']),
      ),
    }),
  ),
  state: field(
    'Whose turns and counts the calls have. run (the default): one for the whole step. session: each session its own.',
    z.enum(['run', 'session']),
    'run',
  ),
  wait_for: field(
    'At a terminal: what the screen must show before the step is over. Without it, the screen must be quiet.',
    saying,
  ),
  expect: field('What must be true after the step.', runExpectationSchema),
});

export type RunStep = z.infer<typeof runStepSchema>;
