import * as z from 'zod/mini';
import { readerEventSchema, usageSchema } from '../events.js';
import type { TurnReader, TurnVerdict } from '../turn-reader.js';
import type { AgentReader } from './definition.js';
import { nonsense, type OwnCode } from './own-code.js';

const eventsSchema = z.array(readerEventSchema);

const verdictSchema = z.strictObject({
  outcome: z.enum(['completed', 'failed']),
  reason: z.optional(z.string()),
  message: z.optional(z.string()),
  usage: z.optional(usageSchema),
  costUsd: z.optional(z.number()),
});

/** A user's reader as one of ours. What goes wrong in it is thrown when the output has ended. */
export function ownReader(reader: AgentReader, own: OwnCode): TurnReader {
  return {
    get sessionId() {
      return typeof reader.sessionId === 'string' ? reader.sessionId : undefined;
    },
    read(line) {
      try {
        return own.call(
          'read',
          () => reader.read(line),
          (given) => valid(eventsSchema, given, 'a list of events'),
        );
      } catch {
        return [];
      }
    },
    verdict({ code, signal }, stderr) {
      own.throwIfFailed();
      const judge = () => reader.verdict({ code, signal }, stderr);
      const verdict = own.call('verdict', judge, (given) => {
        valid(verdictSchema, given, '{ outcome: "completed" } or { outcome: "failed", message }');
        return given as TurnVerdict;
      });
      // A failure always has a reason.
      return verdict.outcome === 'completed' ? verdict : { reason: 'agent_error', ...verdict };
    },
  };
}

/** What a function that makes a reader gave. */
export function asReader(given: unknown): AgentReader | undefined {
  const { read, verdict } = (given ?? {}) as Partial<AgentReader>;
  if (given === undefined) return undefined;
  if (typeof read === 'function' && typeof verdict === 'function') return given as AgentReader;
  throw nonsense(given, 'a reader with read() and verdict()');
}

function valid<S extends z.ZodMiniType>(schema: S, given: unknown, expected: string): z.output<S> {
  const { success, data } = z.safeParse(schema, given);
  if (success) return data;
  throw nonsense(given, expected);
}
