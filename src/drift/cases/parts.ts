import { RECORD_PAYLOAD, user } from '../case.js';

/** One hook of the user for each event. */
export const userHooks = (byEvent: Record<string, string>) => ({
  'HOME/.claude/settings.json': {
    hooks: Object.fromEntries(
      Object.entries(byEvent).map(([event, command]) => [event, [{ hooks: [{ type: 'command', command }] }]]),
    ),
  },
});

/** Hooks of the project that keep what they are given. */
export const recorded = (events: readonly string[]) => ({
  '.claude/settings.json': {
    hooks: Object.fromEntries(
      events.map((event) => [event, [{ hooks: [{ type: 'command', command: RECORD_PAYLOAD }] }]]),
    ),
  },
});

export const SESSION = '66666666-6666-4666-8666-666666666666';
/** An earlier process, whose session can go on. */
export const BEFORE = { args: ['-p', 'before', '--session-id', SESSION] };

/** An earlier process whose only prompt a hook refused. */
export const REFUSED = {
  files: userHooks({
    SessionStart: 'echo started',
    UserPromptSubmit: 'grep -q before && { echo no >&2; exit 2; }; true',
  }),
  before: [BEFORE],
};

/** Prompts in a living session, one after the other. */
export const says = (...texts: string[]) => texts.flatMap((text) => [user(text), { until: 'result' }]);
