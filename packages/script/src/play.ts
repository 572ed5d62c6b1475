import type { CompiledAnswer, CompiledScript } from './compiled.js';
import type { Captures } from './linear-regex.js';
import type { Prompt } from './prompt.js';
import type { Reply } from './reply.js';
import { unansweredPrompt } from './unanswered.js';

/** The turn state of one conversation: JSON, so that a session can carry it across processes. */
export interface PlayState {
  /** Prompts so far. */
  turn: number;
  /** How many times each rule matched, by index. */
  matches: Record<number, number>;
  /** The active sequence: its rule, and the turn that comes next. */
  active?: { rule: number; turn: number };
}

/**
 * One conversation with a script. A rule that matches activates its turns. A prompt that matches the next turn
 * advances the sequence; the last turn ends it. A prompt that does not match also ends it, and the ordinary rules
 * answer that prompt.
 */
export class Play {
  readonly #script: CompiledScript;
  #state: PlayState;
  /** The state before the last prompt. */
  #before: PlayState = { turn: 0, matches: {} };

  constructor(script: CompiledScript, state?: PlayState) {
    this.#script = script;
    this.#state = state === undefined ? { turn: 0, matches: {} } : structuredClone(state);
  }

  /** A copy of the state, to store. */
  get state(): PlayState {
    return structuredClone(this.#state);
  }

  get hasActiveSequence(): boolean {
    return this.#state.active !== undefined;
  }

  /** Answers the last prompt once more, for another model. A rule that has been used up stays so. */
  answerAgain(said: Prompt): Reply {
    const { matches } = this.#state;
    this.#state = { ...this.#before, matches };
    return this.answer(said);
  }

  /** Answers a prompt and advances the conversation. */
  answer(said: Prompt): Reply {
    this.#before = { ...this.#state };
    const { call } = this.#script;
    const prompt = { ...(call === undefined ? {} : { call }), ...said, text: said.text.trim() };
    this.#state.turn++;
    const { active } = this.#state;
    return this.#nextTurn(prompt) ?? this.#ordinaryRule(prompt) ?? this.#fallback(prompt, active);
  }

  /** Answers a hook that asks the model: the conversation stays where it is. Undefined if no rule is for it. */
  judge(said: Prompt & { hook: string }): Reply | undefined {
    return this.#ordinaryRule({ ...said, text: said.text.trim() });
  }

  /** Resets the turn number, the counts and the sequence. */
  reset(): void {
    this.#state = { turn: 0, matches: {} };
  }

  #nextTurn(prompt: Prompt): Reply | undefined {
    const { active } = this.#state;
    if (active === undefined) return undefined;
    delete this.#state.active;
    const turns = this.#script.rules[active.rule]?.turns ?? [];
    const turn = turns[active.turn];
    const captures = turn?.expect.match(prompt);
    if (turn === undefined || captures === undefined) return undefined;
    if (active.turn + 1 < turns.length) this.#state.active = { rule: active.rule, turn: active.turn + 1 };
    this.#script.usage.reachedTurn(active.rule, active.turn);
    return reply(turn, prompt, captures);
  }

  #ordinaryRule(prompt: Prompt): Reply | undefined {
    const { rules, index, usage } = this.#script;
    for (const candidate of index.candidates(prompt)) {
      const rule = rules[candidate];
      const matches = this.#state.matches[candidate] ?? 0;
      if (rule === undefined || matches >= rule.maxMatches) continue;
      if (rule.isForHooks !== (prompt.hook !== undefined)) continue;
      if (rule.when?.(prompt, this.#state.turn) !== undefined) continue;
      const captures = rule.pattern.match(prompt);
      if (captures === undefined) continue;
      this.#state.matches[candidate] = matches + 1;
      if (rule.turns.length > 0) this.#state.active = { rule: candidate, turn: 0 };
      usage.entered(candidate);
      return reply(rule, prompt, captures);
    }
    return undefined;
  }

  #fallback(prompt: Prompt, nextTurn: PlayState['active']): Reply {
    const { defaultAnswer, scenario, usage, rules } = this.#script;
    if (defaultAnswer !== undefined) return reply(defaultAnswer, prompt, { groups: [], named: {} });
    const { matches, turn } = this.#state;
    const written = scenario.document.responses ?? [];
    const unanswered = unansweredPrompt(prompt, { rules: written, compiled: rules, matches, turn, nextTurn });
    usage.unmatched.push(unanswered);
    return unanswered;
  }
}

function reply({ rulePath, speak, failure }: CompiledAnswer, prompt: Prompt, captures: Captures): Reply {
  const message = speak?.({ prompt, captures });
  if (failure !== undefined) {
    const recovers = failure.times !== undefined && message !== undefined;
    return { kind: 'failure', rulePath, failure, ...(recovers ? { afterwards: message } : {}) };
  }
  if (message === undefined) throw new Error(`${rulePath} has neither a response nor a failure`);
  return { kind: 'message', message };
}
