// A suite of your own: each case in a `*.cases.json` is a test. understudy.toml names it: `suites = ["./reviews.mjs"]`.
// This one tests `review.sh`, which asks Claude for a review and must pass its verdict on.
import { join } from 'node:path';
import { defineSuite } from 'agent-understudy';

const review = join(import.meta.dirname, 'review.sh');

export default defineSuite({
  name: 'reviews',
  files: '*.cases.json',
  entries: ({ document }) => document.map(({ name, ...data }) => ({ name, data })),
  async play({ data: { says, code } }, tools) {
    const result = await tools.runProgram(['sh', review], { scenario: { default_response: says } });
    return [
      ...tools.checkRun(result, { exit_code: code, calls: { count: 1 } }),
      {
        name: 'one line',
        passed: result.stdout.trim().split('\n').length === 1,
        expected: 'the verdict in one line',
        seen: result.stdout,
        fix: 'Print the last line of the answer alone.',
      },
    ];
  },
});
