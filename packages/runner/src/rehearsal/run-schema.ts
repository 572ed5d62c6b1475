import { field, required } from '@understudy/kit';
import { count, positive, runExpectationSchema, saying, signalName, words } from '@understudy/verdict';
import * as z from 'zod/mini';

/** A program that a rehearsal starts. */
const programFields = {
  run: required(
    'The program and its arguments, as a list; or a line for the shell.',
    z.union([z.string().check(z.minLength(1)), words]),
  ),
  env: field(
    'Variables for the program. PATH is a list of folders that come first.',
    z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  ),
  cwd: field('The folder of the project in which the program runs.', z.string()),
};
const programSchema = z.strictObject(programFields);
export type ProgramFields = z.infer<typeof programSchema>;

const endingFields = {
  name: field('A name for people.', z.string()),
  ...programFields,
  stdin: field('What the program reads from stdin. By default it is empty.', z.string(), ''),
  timeout_ms: field('Milliseconds after which the program is killed, and fails. By default 180000.', positive, 180_000),
};

/** A program before the first step, or after the last one. It must end with 0. */
export const aroundStepSchema = z.strictObject(endingFields);
export type AroundStep = z.infer<typeof aroundStepSchema>;

/** A program that runs beside the steps. */
export const serviceSchema = z.strictObject({
  name: required(
    'Its name. For `api`, {{api.url}} and {{api.port}} stand for its address, and so do the variables API_URL and API_PORT.',
    z.string().check(z.regex(/^[a-z][a-z0-9_-]*$/i)),
  ),
  ...programFields,
  port: field(
    'Its port. By default a free one. It is in PORT, and {{port}} stands for it in `run` and `env`.',
    positive,
  ),
  ready: field(
    'When it has started: line, a text of its output, or http, a page that answers. By default its port takes connections.',
    z.strictObject({
      line: field('A line of its output contains this text, or matches this pattern.', saying),
      http: field('This page answers, with a status below 404: "/health".', z.string().check(z.regex(/^\//))),
    }),
  ),
  timeout_ms: field('Milliseconds that it has to become ready. By default 60000.', positive, 60_000),
});
export type ServiceDescription = z.infer<typeof serviceSchema>;

/** The variables with the address and the port of a service. */
export function variablesOf(name: string): [url: string, port: string] {
  const word = name.toUpperCase().replaceAll('-', '_');
  return [`${word}_URL`, `${word}_PORT`];
}

/** One step that runs a program. */
export const runStepSchema = z.strictObject({
  ...endingFields,
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
