import * as z from 'zod/mini';
import { protocolNames } from '../server/wire/protocol.js';

/** The version of the format. A reader refuses a newer one. */
export const CASSETTE_VERSION = 1;

const count = z.int().check(z.minimum(0));

/** What a test needs to talk to the agent in the same way again. */
const settingSchema = z.object({
  plugins: z.optional(z.array(z.string())),
  workflow: z.optional(z.string()),
  project: z.optional(z.record(z.string(), z.unknown())),
});

/** The first line. */
export const headerSchema = z.object({
  type: z.literal('cassette'),
  version: count,
  understudy: z.string(),
  recordedAt: z.iso.datetime(),
  /** Where it comes from if it was not recorded: `aimock`, `claude-code` … */
  importedFrom: z.optional(z.string()),
  agents: z.array(z.object({ agent: z.string(), version: z.optional(z.string()) })),
  /** The command that was recorded, without its folders. */
  command: z.optional(z.array(z.string())),
  setting: z.optional(settingSchema),
  /** Variables that say which model is asked, and where. */
  variables: z.optional(z.record(z.string(), z.string())),
  /** The configuration with which its agent finds its providers, without addresses and keys; the name is that of the first that had one. */
  opencode: z.optional(z.record(z.string(), z.unknown())),
});

/** One event of a stream: how many milliseconds after the start of the answer, and what it said. */
const streamEventSchema = z.object({
  at: z.number(),
  event: z.optional(z.string()),
  /** Its data, as JSON; as a text if it is not JSON. */
  data: z.optional(z.unknown()),
  id: z.optional(z.string()),
  retry: z.optional(z.string()),
  /** A comment, which clients ignore. */
  comment: z.optional(z.string()),
});

export const answerSchema = z.object({
  status: count,
  headers: z.record(z.string(), z.string()),
  /** Milliseconds from the request to the beginning of the answer. */
  after: z.number(),
  /** `stream` has events; `json`, `text` and `base64` have a body. */
  form: z.enum(['stream', 'aws-stream', 'json', 'text', 'base64']),
  events: z.optional(z.array(streamEventSchema)),
  body: z.optional(z.unknown()),
  /** It has no end: the client or the model hung up. */
  cut: z.optional(z.enum(['client', 'model'])),
});

/** A request and its answer. Long parts of the request stand in lines of their own, before it. */
const interactionSchema = z.object({
  type: z.literal('interaction'),
  /** In the order in which the requests came. Lines are in the order in which the answers ended. */
  number: count,
  conversation: z.string(),
  /** `auxiliary`: no user caused it. `probe`: it does not ask the model for an answer. */
  kind: z.enum(['answer', 'auxiliary', 'probe']),
  protocol: z.enum(protocolNames),
  client: z.string(),
  /** The subagent that asks. */
  agent: z.optional(z.string()),
  /** The `run` step and the call in it. */
  step: z.optional(count),
  call: z.optional(count),
  /** Milliseconds since the start of the recording. */
  at: z.number(),
  request: z.object({
    method: z.string(),
    path: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.optional(z.unknown()),
  }),
  answer: answerSchema,
});

/** A long part of a request, which requests name by its id. */
const partSchema = z.object({ type: z.literal('part'), id: z.string(), value: z.unknown() });

/** What was seen beside the wire: an event of the conversation. */
const seenSchema = z.object({ type: z.literal('seen'), event: z.looseObject({ type: z.string() }) });

/** The files of the project before the first turn. */
const filesSchema = z.object({
  type: z.literal('files'),
  files: z.array(z.object({ path: z.string(), text: z.optional(z.string()) })),
  more: count,
});

/** The last line. A cassette without it is cut: its recorder was killed. */
export const endSchema = z.object({
  type: z.literal('end'),
  interactions: count,
  milliseconds: z.number(),
});

export const lineSchema = z.discriminatedUnion('type', [
  headerSchema,
  interactionSchema,
  partSchema,
  seenSchema,
  filesSchema,
  endSchema,
]);

export type CassetteHeader = z.infer<typeof headerSchema>;
export type CassetteSetting = z.infer<typeof settingSchema>;
export type StreamEvent = z.infer<typeof streamEventSchema>;
export type RecordedAnswer = z.infer<typeof answerSchema>;
export type Interaction = z.infer<typeof interactionSchema>;
export type CassetteLine = z.infer<typeof lineSchema>;
export type ProjectFiles = z.infer<typeof filesSchema>;
