// A check of your own: what must hold in this house. A rehearsal names it: `checks = { house = "./house.mjs" }`.
import { defineCheck } from 'agent-understudy';

export default defineCheck({
  fields: {
    polite: {
      description: 'true: the answer greets or thanks.',
      expects: 'boolean',
      judge: ({ text }, wanted) => ({
        passed: /\b(hello|good day|thank you|thanks)\b/i.test(text) === wanted,
        expected: wanted ? 'a greeting or thanks' : 'no greeting and no thanks',
        seen: text === '' ? 'nothing was said' : text,
        fix: 'Say in the prompt of the command how to begin.',
      }),
    },
    most_tools: {
      description: 'The most calls of tools in a turn.',
      expects: 'number',
      judge: ({ tools }, most) => ({
        passed: tools.length <= most,
        expected: `at most ${most} calls of tools`,
        seen: `${tools.length} calls`,
        evidence: tools.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`),
      }),
    },
  },
});
