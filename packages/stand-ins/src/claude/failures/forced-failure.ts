import { parseJson, UnderstudyError } from '@understudy/kit';
import { type Failure, failureSchema, type Reply } from '@understudy/script';
import * as z from 'zod/mini';

/** Required fields of failures that are given by name only. */
const DEFAULTS: Record<string, object> = {
  connection_timeout: { after_ms: 0 },
  stall: { after_ms: 0 },
  partial_response: { partial_text: 'This is a partial' },
  malformed_json: { raw: '{"type":' },
};

/** A failure that replaces every answer of the scenario. */
export type ForcedFailure = { kind: 'reply'; reply: Reply } | { kind: 'not_logged_in' };

/** The failure of `--failure` or UNDERSTUDY_FAILURE: a name, or JSON as in a scenario. */
export function readForcedFailure(flag: string | undefined, env: NodeJS.ProcessEnv): ForcedFailure | undefined {
  const wanted = flag || env['UNDERSTUDY_FAILURE'] || env['CLAUDELESS_FAILURE'];
  if (!wanted) return undefined;
  // claudeless writes the names with hyphens.
  const name = wanted.replaceAll('-', '_');
  const given = wanted.trim().startsWith('{') ? parseJson(wanted) : { type: name, ...DEFAULTS[name] };
  const parsed = z.safeParse(failureSchema, given);
  if (parsed.success) {
    const rulePath = flag === undefined ? 'UNDERSTUDY_FAILURE' : '--failure';
    return { kind: 'reply', reply: { kind: 'failure', rulePath, failure: parsed.data as Failure } };
  }
  throw new UnderstudyError('CLAUDE_BAD_FAILURE', `unknown failure ${JSON.stringify(wanted)}`, {
    fix: `Use one of ${names().join(', ')}, or JSON such as {"type":"rate_limit","retry_after":5}.`,
  });
}

function names(): string[] {
  return failureSchema.def.options.flatMap((option) => [...option.def.shape.type.def.values]);
}
