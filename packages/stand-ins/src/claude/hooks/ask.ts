import {
  type AskingHook,
  endByAnswer,
  type Hook,
  type HookInput,
  type HookRun,
  isUnsupportedType,
  questionPrompt,
  questionText,
  resolveModel,
} from '@understudy/agents';
import { type Message, NO_OBJECTION, textOf } from '@understudy/script';
import { milliseconds } from '../../shared/stopwatch.js';
import { uuid } from '../output/ids.js';
import type { Session } from '../session/session.js';
import { messageTokens } from '../session/tally.js';
import { emitResponse } from './hook-response.js';

/** The program that starts the stand-in wants a report of hooks that ask a model. The real CLI has none. */
const TELLS = 'UNDERSTUDY_TELL_HOOKS';

const AGREED: Message = { rulePath: '', blocks: [{ type: 'text', text: NO_OBJECTION }], stopReason: 'end_turn' };

/** Runs a hook that asks a model: the scenario answers. */
export async function ask(
  session: Session,
  hook: Hook,
  asking: AskingHook,
  input: HookInput,
  { name, shown }: { name: string; shown: boolean },
): Promise<HookRun> {
  const started = milliseconds();
  const reason = unsupported(hook.event, asking);
  if (reason !== undefined) return refuse(session, { hook, name, shown }, reason);
  const model = asking.model === undefined ? session.usedModel : resolveModel(asking.model);
  const text = questionText(asking.prompt, input);
  const reply = session.conversation.play.judge({ ...questionPrompt(hook.event, text, input), model });
  const message = reply?.kind === 'message' ? reply.message : undefined;
  const answer = textOf(message ?? AGREED);
  if (message !== undefined) session.out.judgedBy(message.rulePath);
  const tokens = messageTokens(message ?? AGREED, text.length);
  session.spending.add(model, tokens);
  if (session.parts.env[TELLS] === '1')
    session.out.system('understudy_hook', { kind: asking.type, name, payload: input, text, answer });
  return { hook, ...endByAnswer(hook.event, answer), durationMs: milliseconds() - started };
}

/** Why a hook of this event cannot ask. */
function unsupported(event: Hook['event'], { type }: AskingHook): string | undefined {
  if (event === 'SessionEnd')
    return `${type === 'agent' ? 'Agent' : 'Prompt'} stop hooks are not yet supported outside REPL`;
  if (!isUnsupportedType(event, type)) return undefined;
  return `Failed to run: ${type}-type hooks are not supported for ${event} events (no conversation context is available). Use a command-type hook instead.`;
}

function refuse(
  session: Session,
  { hook, name, shown }: { hook: Hook; name: string; shown: boolean },
  stderr: string,
): HookRun {
  const run: HookRun = { hook, stdout: '', stderr, exitCode: 1, outcome: 'error', durationMs: 0 };
  if (shown) emitResponse(session, { hook_id: uuid(), hook_name: name, hook_event: hook.event }, run);
  return run;
}
