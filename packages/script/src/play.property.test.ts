import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defineScenario } from './load.js';
import type { Pattern, Rule } from './schema.js';
import { Script } from './script.js';

/**
 * A second, naive reading of the rules: no index, no state object, written straight from the
 * description. The engine must agree with it on every random script and conversation.
 */
function naive(rules: Rule[], prompts: string[]): (string | undefined)[] {
  const entries = rules.map(() => 0);
  let waiting: { rule: number; turn: number } | null = null;
  return prompts.map((raw) => {
    const prompt = raw.trim();
    if (waiting) {
      const { rule, turn } = waiting;
      const turns = rules[rule]?.turns ?? [];
      waiting = null;
      if (holds(turns[turn]?.expect as Pattern, prompt)) {
        if (turn + 1 < turns.length) waiting = { rule, turn: turn + 1 };
        return `responses[${rule}].turns[${turn}]`;
      }
    }
    for (const [index, rule] of rules.entries()) {
      if ((entries[index] ?? 0) >= (rule.max_matches ?? Infinity) || !holds(rule.pattern, prompt)) continue;
      entries[index] = (entries[index] ?? 0) + 1;
      if (rule.turns?.length) waiting = { rule: index, turn: 0 };
      return `responses[${index}]`;
    }
    return undefined;
  });
}

function holds(pattern: Pattern, prompt: string): boolean {
  const lower = (text: string) => ('ignore_case' in pattern && pattern.ignore_case ? text.toLowerCase() : text);
  switch (pattern.type) {
    case 'any':
      return true;
    case 'exact':
      return lower(prompt) === lower(pattern.text.trim());
    case 'contains':
      return lower(prompt).includes(lower(pattern.text));
    case 'regex':
      return new RegExp(pattern.pattern, pattern.ignore_case ? 'i' : '').test(prompt);
    case 'glob':
      return globHolds(lower(pattern.pattern), lower(prompt));
    case 'command':
      return false;
  }
}

function globHolds(glob: string, text: string): boolean {
  if (glob === '') return text === '';
  if (glob[0] === '*') return globHolds(glob.slice(1), text) || (text !== '' && globHolds(glob, text.slice(1)));
  return text !== '' && (glob[0] === '?' || glob[0] === text[0]) && globHolds(glob.slice(1), text.slice(1));
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', '.'), maxLength: 4 });
const ignore_case = fc.boolean();
const pattern: fc.Arbitrary<Pattern> = fc.oneof(
  fc.constant({ type: 'any' as const }),
  fc.record({ type: fc.constant('exact' as const), text: word, ignore_case }),
  fc.record({ type: fc.constant('contains' as const), text: word, ignore_case }),
  fc.record({
    type: fc.constant('regex' as const),
    pattern: fc.constantFrom('a+b', '^a', 'b$', '^(a|b)*$', '[ab]{2}', '\\.'),
    ignore_case,
  }),
  fc.record({
    type: fc.constant('glob' as const),
    pattern: fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.'), maxLength: 4 }),
    ignore_case,
  }),
);
const rule: fc.Arbitrary<Rule> = fc.record(
  {
    pattern,
    response: fc.constant('said'),
    max_matches: fc.integer({ min: 0, max: 2 }),
    turns: fc.array(fc.record({ expect: pattern, response: fc.constant('said') }), { maxLength: 3 }),
  },
  { requiredKeys: ['pattern', 'response'] },
);

function played(rules: Rule[], prompts: string[]): (string | undefined)[] {
  const play = new Script(defineScenario({ responses: rules })).play();
  return prompts.map((text) => {
    const reply = play.answer({ text });
    return reply.kind === 'message' ? reply.message.rulePath : undefined;
  });
}

it('agrees with a naive reading of the rules on random scripts and conversations', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 8 }), fc.array(word, { maxLength: 12 }), (rules, prompts) => {
      expect(played(rules, prompts)).toEqual(naive(rules, prompts));
    }),
    { numRuns: 500 },
  );
});

it('agrees when there are so many regexes that they run as one machine', () => {
  fc.assert(
    fc.property(
      fc.array(rule, { minLength: 40, maxLength: 60 }),
      fc.array(word, { maxLength: 6 }),
      (rules, prompts) => {
        expect(played(rules, prompts)).toEqual(naive(rules, prompts));
      },
    ),
    { numRuns: 60 },
  );
});

it('gives the same answers whether a conversation is stored and resumed at every turn or not', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), fc.array(word, { maxLength: 8 }), (rules, prompts) => {
      const script = new Script(defineScenario({ responses: rules }));
      let state = script.play().state;
      const resumed = prompts.map((text) => {
        const play = script.play(JSON.parse(JSON.stringify(state)));
        const reply = play.answer({ text });
        state = play.state;
        return reply.kind === 'message' ? reply.message.rulePath : undefined;
      });
      expect(resumed).toEqual(played(rules, prompts));
    }),
  );
});
