import type { ModelStep, ScriptedCall } from './case.js';

/** The same script for the stand-in: a scenario that says these messages, prompt after prompt. */
export function scenarioOf(turns: readonly (readonly ModelStep[])[], hookAnswers: readonly string[] = []): object {
  const [first = [{ say: 'hello' }], ...rest] = turns;
  return {
    responses: [
      ...hookAnswers.map((text, at) => ({
        pattern: { type: 'any' },
        when: { hook: '*' },
        response: { text, usage: { input_tokens: 10, output_tokens: 5 } },
        ...(at < hookAnswers.length - 1 ? { max_matches: 1 } : {}),
      })),
      ...turns.flat().flatMap(subagentRules),
      {
        pattern: { type: 'any' },
        ...answerOf(first),
        ...(rest.length === 0 ? {} : { turns: rest.map((turn) => ({ expect: { type: 'any' }, ...answerOf(turn) })) }),
      },
    ],
  };
}

/** A subagent is a conversation of its own, which its prompt begins. */
function subagentRules({ tools = [], subagent, promptPart }: ModelStep): object[] {
  const contains = promptPart === undefined ? undefined : { type: 'contains', text: promptPart };
  return [
    ...tools.flatMap((call) => rulesOf(call.subagent, promptOf(call))),
    ...rulesOf(subagent, contains ?? promptOf(tools[0])),
  ];
}

function rulesOf(subagent: readonly ModelStep[] | undefined, pattern: object): object[] {
  return subagent === undefined ? [] : [...subagent.flatMap(subagentRules), { pattern, ...answerOf(subagent) }];
}

function promptOf(call: ScriptedCall | undefined): object {
  return { type: 'exact', text: String(call?.input['prompt']) };
}

function answerOf(turn: readonly ModelStep[]): object {
  const [step = {}] = turn;
  if (step.fail === undefined) return { response: responseOf(turn) };
  const failure =
    turn.length > 1 ? { ...step.fail, times: turn.findIndex(({ fail }) => fail === undefined) } : step.fail;
  return turn.length > 1
    ? { failure, response: responseOf(turn.filter(({ fail }) => fail === undefined)) }
    : { failure };
}

function responseOf([step = {}, ...rest]: readonly ModelStep[]): object {
  return {
    blocks: [
      ...(step.thinking === undefined ? [] : [{ type: 'thinking', text: step.thinking }]),
      ...(step.say === undefined ? [] : [{ type: 'text', text: step.say }]),
      ...(step.tools ?? []).map(({ tool, input }) => ({ type: 'tool_use', tool, input, offered: false })),
    ],
    usage: { input_tokens: 10, output_tokens: 5 },
    ...(step.delayMs === undefined ? {} : { delay_ms: step.delayMs }),
    ...(rest.length === 0 ? {} : { then: responseOf(rest) }),
  };
}
