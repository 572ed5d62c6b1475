import { modelCard, planningModel, resolveModel } from '../../../claude-code/models.js';
import type { JsonObject } from '../../../document/json.js';
import { fire } from '../hooks/fire-if-any.js';
import { userEvent } from '../output/events.js';
import { uuid } from '../output/ids.js';
import type { Session } from '../session/session.js';
import { CAVEAT, commandLines, commandTags, inTags, userLine } from './local-lines.js';

/** What a token costs that is written to the cache, as a share of one that is read without it. */
const CACHE_WRITE = 1.25;

/**
 * Takes another model for what comes next. Gives what hooks of PostModelSwitch are to hear, or why one of PreModelSwitch
 * does not want it. Gives neither where the model stays the same.
 */
export async function switchModel(
  session: Session,
  requested: string | null,
): Promise<{ heard?: JsonObject; objection?: string }> {
  const name = requested ?? 'default';
  const about = describeSwitch(session, requested);
  if (about['from_model'] === about['to_model']) {
    session.modelName = name;
    return {};
  }
  const planner = planningModel(name);
  const asked = planner === undefined ? [about] : [about, { ...about, to_model: planner }];
  for (const fields of asked) {
    const { block } = await fire(session, 'PreModelSwitch', fields);
    if (block !== undefined) return { objection: block.reason.trimEnd() };
  }
  session.modelName = name;
  return { heard: about };
}

function describeSwitch({ model, spending }: Session, requested: string | null): JsonObject {
  const { lastTokens: tokens } = spending;
  const to = resolveModel(requested ?? 'default');
  const price = (tokens * modelCard(to).inputPrice * CACHE_WRITE) / 1e6;
  return {
    ...{ from_model: model, to_model: to, requested_model: requested, source: 'sdk' },
    ...{ context_tokens: tokens, prompt_cache_warm: tokens > 0, cache_ttl: '5m' },
    ...{ estimated_cache_write_usd: Number(price.toFixed(4)), pricing: 'catalog' },
  };
}

/** Lets hooks hear of the switch that the host has asked for. */
export async function tellSwitch(session: Session): Promise<void> {
  const { switchedModel } = session;
  session.switchedModel = undefined;
  if (switchedModel !== undefined) await fire(session, 'PostModelSwitch', switchedModel);
}

/** In a conversation that has begun, a host's switch is told as if somebody had typed the command. */
export function recordSwitch(session: Session, requested: string | null): void {
  if (session.conversation.prompts === 0) return;
  const { model } = session;
  const args = requested ?? 'default';
  const isNamed = args === model || requested === null;
  const said = inTags('stdout', `Set model to \`${isNamed ? model : `${args} (${model})`}\``);
  session.atWork.notes.push(CAVEAT, commandTags('model', args), said);
  const lineId = uuid();
  // It is written with the next prompt.
  session.transcript.hold([...commandLines(session, 'model', args), { ...userLine(session, said), uuid: lineId }]);
  session.out.emit(userEvent({ ...session.out.at(), uuid: lineId }, said, { isReplay: true }));
}
