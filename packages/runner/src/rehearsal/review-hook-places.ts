import type { Path, UnlocatedProblem } from '@understudy/kit';
import { type Expectation, type HookPlace, hookPlace } from '@understudy/verdict';

const WHEN: Record<HookPlace, string> = {
  start: 'before the first step',
  step: 'in steps only',
  end: 'after the last step',
};

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
