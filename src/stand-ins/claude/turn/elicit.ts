import { interpretRun } from '../../../claude-code/hooks/verdict.js';
import { defined } from '../../../document/defined.js';
import { isObject, type JsonObject, parseJson } from '../../../document/json.js';
import { fire } from '../hooks/fire-if-any.js';
import type { FiredVerdict } from '../hooks/fired-verdict.js';
import type { Session } from '../session/session.js';

/** Answers what an MCP server asks the user: a hook, the host, or nobody. */
export async function elicit(session: Session, server: string, asked: JsonObject): Promise<JsonObject> {
  const { message, requestedSchema, url, elicitationId } = asked;
  const mode = asked['mode'] ?? 'form';
  const about = { mcp_server_name: server };
  const question = {
    ...about,
    message,
    mode,
    ...defined({ url, elicitation_id: elicitationId, requested_schema: requestedSchema }),
  };
  const decided = answerIn(await fire(session, 'Elicitation', question));
  if (decided !== undefined) return decided;
  const answer = (await askHost(session, question, requestedSchema)) ?? { action: 'cancel' };
  const heard = { ...about, ...defined({ elicitation_id: elicitationId }), mode, ...answer };
  const final = answerIn(await fire(session, 'ElicitationResult', heard)) ?? answer;
  const words = `Elicitation response for server "${server}": ${final['action']}`;
  // The server hears it first.
  setImmediate(() => {
    fire(session, 'Notification', { message: words, notification_type: 'elicitation_response' }).catch(() => {});
  });
  return final;
}

/** What a hook says in place of the user. One that objects declines. */
function answerIn({ runs = [] }: FiredVerdict): JsonObject | undefined {
  for (const run of runs) {
    if (run.hasWrongOutput) continue;
    const output = parseJson(run.stdout);
    const specific = isObject(output) ? output['hookSpecificOutput'] : undefined;
    if (isObject(specific) && typeof specific['action'] === 'string')
      return { action: specific['action'], ...defined({ content: specific['content'] }) };
    if (interpretRun(run).block !== undefined) return { action: 'decline' };
  }
  return undefined;
}

async function askHost(session: Session, question: JsonObject, schema: unknown): Promise<JsonObject | undefined> {
  const { host } = session;
  if (host === undefined || host.isClosed) return undefined;
  const properties = isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : undefined;
  const answer = await host
    .ask({ subtype: 'elicitation', ...question, ...defined({ property_order: properties }) })
    .catch(() => undefined);
  if (!isObject(answer) || typeof answer['action'] !== 'string') return undefined;
  return { action: answer['action'], ...defined({ content: answer['content'] }) };
}
