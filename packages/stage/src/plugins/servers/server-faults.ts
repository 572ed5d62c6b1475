import { field, required } from '@understudy/kit';
import * as z from 'zod/mini';

const count = z.int().check(z.minimum(0));
const milliseconds = z.int().check(z.minimum(1));

/** What goes wrong with an MCP server, on purpose. Calls are calls of its tools. */
export const serverFaultFields = {
  start_delay_ms: field(
    'Milliseconds before the server starts, so that a program or a hook can be earlier.',
    milliseconds,
  ),
  delay_ms: field('Milliseconds by which each answer of a tool is late.', milliseconds),
  fails: field(
    'The server ends with 1 instead of starting: true, or what it says on stderr then.',
    z.union([z.literal(true), z.string()]),
  ),
  dies_after: field('The server ends without an answer after so many calls; 0: at the first one.', count),
  garbles_after: field('After so many calls, the server answers with half a frame.', count),
  changes: field(
    'The server offers other tools from some call on, and says that its list has changed.',
    z.strictObject({
      after: required('After so many calls, from 1.', z.int().check(z.minimum(1))),
      tools: required(
        'The answer of each tool that it has then, by its name: a text, a table, or { error = "…" }.',
        z.record(z.string(), z.union([z.string(), z.record(z.string(), z.unknown())])),
      ),
    }),
  ),
};

export const serverFaultsSchema = z.object(serverFaultFields);

export type ServerFaults = z.infer<typeof serverFaultsSchema>;
