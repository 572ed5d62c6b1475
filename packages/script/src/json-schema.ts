import { defined } from '@understudy/kit';
import * as z from 'zod/mini';
import { scenarioSchema } from './schema.js';

/** What an editor shows for a field. A name means the same everywhere in the format. */
const DESCRIPTIONS: Record<string, string> = {
  name: 'A name for people.',
  description: 'What the scenario is for.',
  default_response: 'The answer to a prompt that no rule matches. Without it, such a prompt is an error.',
  responses: 'The rules, in order. The first rule that matches answers.',
  pattern: 'What the prompt must match.',
  when: 'Conditions on the context of the prompt. All must be true.',
  response: 'The answer: a text, or a table with text, tool calls and what follows them.',
  failure: 'A failure instead of an answer.',
  max_matches: 'How many times the rule may match in one conversation.',
  turns: 'The turns that follow. The next prompt must match the next turn.',
  expect: 'What the next prompt, or the tool results, must match.',
  optional: 'true allows that a run never uses this rule.',
  faults: 'Failures of certain requests, independent of the rules.',
  seed: 'Makes `chance` the same in every run.',
  tool_execution:
    'Which tools the stand-in mocks. Without it they really run, but for calls with a result of their own.',
  tool_calls: 'The tools to call.',
  blocks: 'The whole response in order: thinking, text, tool calls. Use it instead of text, thinking and tool_calls.',
  then: 'The answer to the tool results: a response, or a list of branches.',
  text: 'The text to send, or to look for.',
  thinking: 'The thinking before the answer.',
  chunks: 'The text in the pieces in which it is streamed. Use it instead of text.',
  tool: 'The name of the tool: the agent’s own, or shell, read, write, edit, glob, grep for any agent.',
  input: 'The arguments of the tool. { "$file" = "path" } stands for the content of a file.',
  result: 'The result of a mocked tool.',
  error: 'The error of a mocked tool. In a branch: whether a tool failed.',
  usage:
    'The tokens of the whole response: told with its last message, and with `then`, with the message that calls the tools.',
  delay_ms: 'Milliseconds to wait before the answer.',
  pace: 'How fast the answer streams.',
  stop_reason: 'Why the model stopped.',
  template: 'false sends {{…}} literally.',
  times: 'Fail this many times, then answer with `response`.',
  ignore_case: 'Ignore upper and lower case.',
  system: 'The system prompt: a text that it contains, or a pattern.',
  model: 'The model: a glob or a pattern.',
  agent: 'The subagent: a glob or a pattern.',
  cwd: 'The working directory: a glob or a pattern.',
  hook: 'The event of a hook that asks the model, such as "Stop": a glob or a pattern. Such a rule answers no user.',
  turn: 'The number of the prompt in its conversation, from 1.',
  call: 'The number of the call in a `run` step, from 1: which start of an agent, or which request of an SDK.',
  session_id: 'The id of the session, a UUID.',
  launch_timestamp: 'The start time that the stand-in reports, with a time zone.',
};

/** In a command pattern, `name` is the command. */
const COMMAND_PATTERN: Record<string, string> = {
  name: 'The slash command, with or without its plugin: explore, agent-loop:explore.',
  args: 'What the arguments of the command must match.',
};

/** Where a file may stand for a long text. The loader takes it for every text; these are those that are long. */
const LONG_TEXTS = [
  'default_response',
  'response',
  'then',
  'text',
  'thinking',
  'partial_text',
  'raw',
  'body',
  'message',
];

const FILE = {
  type: 'object',
  description: 'The text of a file, relative to this one.',
  properties: { $file: { type: 'string' } },
  required: ['$file'],
  additionalProperties: false,
};

function withFiles(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withFiles);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      if (name !== 'properties') return [name, withFiles(value)];
      const fields = Object.entries(value as Record<string, object>).map(([field, own]) => {
        const { description, ...rest } = withFiles(own) as { description?: string };
        if (!LONG_TEXTS.includes(field)) return [field, withFiles(own)];
        return [field, { ...defined({ description }), anyOf: [rest, { $ref: '#/$defs/file' }] }];
      });
      return [name, Object.fromEntries(fields)];
    }),
  );
}

/** Descriptions for the object that has a field of this name. */
export interface DescribedObject {
  marker: string;
  descriptions: Readonly<Record<string, string>>;
}

const COMMAND: DescribedObject = { marker: 'args', descriptions: COMMAND_PATTERN };

/** What the schema of an object says of a field. */
function describedItself({ _zod: { def } }: z.core.$ZodTypes, name: string): string | undefined {
  const field = def.type === 'object' ? def.shape[name] : undefined;
  return field && z.globalRegistry.get(field)?.description;
}

/** A format as a JSON Schema, for editors. The first object whose marker is there describes its fields. */
export function describedJsonSchema(format: z.core.$ZodType, objects: readonly DescribedObject[] = []): object {
  const schema = z.toJSONSchema(format, {
    io: 'input',
    reused: 'ref',
    override: ({ zodSchema, jsonSchema }) => {
      const fields = jsonSchema.properties ?? {};
      // The pattern of a rule with conditions may be left out.
      if ('pattern' in fields && 'when' in fields) {
        jsonSchema.required = (jsonSchema.required ?? []).filter((name) => name !== 'pattern');
        jsonSchema.anyOf = [{ required: ['pattern'] }, { required: ['when'] }];
      }
      // The signals of this machine are not those of every machine.
      if (jsonSchema.enum?.includes('SIGTERM') === true) {
        delete jsonSchema.enum;
        jsonSchema.pattern = '^SIG[A-Z0-9]+$';
      }
      const { descriptions } = [...objects, COMMAND].find(({ marker }) => marker in fields) ?? {
        descriptions: DESCRIPTIONS,
      };
      for (const [name, property] of Object.entries(fields)) {
        // What a field says of itself goes first. Draft 2020-12 allows a description beside a reference.
        const description = describedItself(zodSchema, name) ?? descriptions[name];
        if (description !== undefined && typeof property === 'object') property.description = description;
      }
    },
  });
  const { $defs, ...rest } = withFiles(schema) as { $defs?: object };
  return { ...rest, $defs: { ...$defs, file: FILE } };
}

/** The scenario format as a JSON Schema. */
export function scenarioJsonSchema(): object {
  return {
    ...describedJsonSchema(scenarioSchema),
    title: 'Understudy scenario',
    description: 'What a scripted model answers: patterns, responses, follow-up turns, tool calls, failures.',
  };
}

/** What an editor shows for the fields at the top of a scenario, for formats that extend it. */
export const SCENARIO_DESCRIPTIONS: Readonly<Record<string, string>> = DESCRIPTIONS;
