import { UnderstudyError, validate } from '@understudy/kit';
import { protocolNames } from '@understudy/model';
import { genericTools } from '@understudy/script';
import * as z from 'zod/mini';
import type { OwnAgent } from './definition.js';

const text = z.string().check(z.minLength(1));
const words = z.array(z.string());
const texts = z.record(z.string(), z.string());
const code = z.function();

const agentSchema = z.strictObject({
  understudy: z.string(),
  name: text,
  program: z.optional(text),
  npm: z.optional(
    z.strictObject({ package: text, version: text, program: z.union([text, code]), integrity: z.optional(texts) }),
  ),
  command: z.optional(z.array(text).check(z.minLength(1))),
  version: z.optional(text),
  arguments: code,
  stdin: z.optional(code),
  protocol: z.enum(protocolNames),
  model: code,
  reader: code,
  reports: z.optional(z.array(z.enum(['tools', 'subagents']))),
  homes: z.optional(words),
  credentials: z.optional(words),
  tools: z.optional(
    z.strictObject({ tools: z.optional(z.partialRecord(z.enum(genericTools), text)), arguments: z.optional(texts) }),
  ),
  promptOf: z.optional(code),
  userAgent: z.optional(z.instanceof(RegExp)),
  unwrap: z.optional(code),
  ownRequest: z.optional(code),
});

/** It is in the names of variables, queues and folders. */
const NAME = /^[a-z][a-z0-9-]{0,39}$/;
/** What has another meaning where an agent is named. */
const RESERVED = ['all', 'library', 'several', 'sim'];

/** Refuses a definition that could not be used. */
export function checkAgent(part: object, place: string): OwnAgent {
  const refuse = (message: string, fix: string) =>
    new UnderstudyError('PART_UNUSABLE', `the agent ${place} cannot be used: ${message}`, {
      fix,
      location: { file: place },
    });
  const { findings } = validate(agentSchema, part);
  const [problem] = findings;
  if (problem !== undefined) throw refuse(problem.message, 'Correct it: docs/agents.md says what each field is.');
  const agent = part as OwnAgent;
  if (!NAME.test(agent.name) || RESERVED.includes(agent.name))
    throw refuse(`\`name\` cannot be "${agent.name}"`, 'Use small letters, digits and dashes: my-agent.');
  if (agent.npm !== undefined && agent.command !== undefined)
    throw refuse('it has both `npm` and `command`', 'Keep the one that says where its program is.');
  if (agent.userAgent === undefined && (agent.unwrap ?? agent.ownRequest) !== undefined)
    throw refuse(
      'it has `unwrap` or `ownRequest`, and nothing says which requests are its own',
      'Add `userAgent`, a regular expression for the user agent of its requests.',
    );
  return agent;
}
