import { eventOfHook, hookEventFacts, hookEventNames, isHookEventName, matcherSubjectsOf } from '@understudy/agents';
import { nearestWord, type Path, type UnlocatedProblem } from '@understudy/kit';
import { type HookPlace, hookPlace } from '@understudy/verdict';
import type { Expectation } from './expectation-schema.js';

const WHEN: Record<HookPlace, string> = {
  start: 'before the first step',
  step: 'in steps only',
  end: 'after the last step',
};

/** Finds names of events that do not exist, and things to be matched on that an event does not have. */
export function reviewHookNames({ hooks, hook_order }: Expectation, path: Path): UnlocatedProblem[] {
  const named: [string, Path][] = [
    ...(hooks ?? []).map(({ event }, index): [string, Path] => [event, [...path, 'hooks', index, 'event']]),
    ...(hook_order ?? []).map((name, index): [string, Path] => [eventOfHook(name), [...path, 'hook_order', index]]),
  ];
  return [
    ...named.flatMap(([event, at]) => reviewWord(event, hookEventNames, `${event} is not a hook event`, at)),
    ...(hooks ?? []).flatMap(({ event, on }, index): UnlocatedProblem[] => {
      if (on === undefined || !isHookEventName(event)) return [];
      const at = [...path, 'hooks', index, 'on'];
      const subjects = matcherSubjectsOf(event);
      if (subjects === undefined) {
        const message = `hooks of ${event} are not matched on anything, so \`on\` can never be met`;
        return [{ code: 'EXPECTS_NOTHING', message, fix: 'Remove `on`.', path: at }];
      }
      // Which tools there are is known when the agent has started.
      if (subjects.list === 'open' || hookEventFacts(event).matches === 'tool_name') return [];
      return reviewWord(on, subjects.known, `${event} never fires on "${on}"`, at);
    }),
  ];
}

function reviewWord(word: string, known: readonly string[], message: string, path: Path): UnlocatedProblem[] {
  if (known.includes(word)) return [];
  const near = nearestWord(word, known);
  const fix = near === undefined ? `Use one of ${known.join(', ')}.` : `Did you mean ${near}?`;
  return [{ code: 'HOOK_EVENT_UNKNOWN', message, fix, path }];
}

/** Finds hooks that are expected where they cannot fire: `fired = false` would always pass there. */
export function reviewHookPlaces(hooks: Expectation['hooks'], place: HookPlace, path: Path): UnlocatedProblem[] {
  return (hooks ?? []).flatMap((hook, index): UnlocatedProblem[] => {
    const own = hookPlace(hook);
    if (own === undefined || own === place) return [];
    const blind = place === 'step' ? 'no step sees it' : `\`[${place}.expect]\` never sees it`;
    const message = `${hook.event} fires ${WHEN[own]}, so ${blind}`;
    return [{ code: 'HOOK_FIRES_ELSEWHERE', message, fix: fixFor(hook.event, own, place), path: [...path, index] }];
  });
}

function fixFor(event: string, own: HookPlace, place: HookPlace): string {
  if (own === 'step') return 'Move it into the `expect` of a step.';
  const clear = place === 'step' ? ` For the one that \`/clear\` fires, add \`on = "clear"\` here.` : '';
  return event === 'Setup' ? 'Move it to `[start.expect]`.' : `Move it to \`[${own}.expect]\`.${clear}`;
}
