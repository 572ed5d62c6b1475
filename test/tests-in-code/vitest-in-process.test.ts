import { expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { runInlineTests } from '../helpers/run-inline-tests.js';

/** docs/vitest.md says that `inProcess` cannot see these. */
const UNSEEN = [
  "expect(conversation).not.toMeet({ plugins: ['greeter'] })",
  "expect(turn).not.toMeet({ hooks: [{ event: 'PreToolUse' }] })",
  "expect(turn).not.toMeet({ told: { message: 'x' } })",
  "expect(turn).not.toMeet({ permissions: [{ tool: 'Bash', decision: 'deny' }] })",
  "expect(turn).not.toMeet({ subagents: ['x'] })",
  'expect(turn).not.toMeet({ budget: { max_cost_usd: 1 } })',
];
const SEEN = [
  "expect(turn).toMeet({ tools: { all: ['Write'] } })",
  "expect(turn).toMeet({ keywords: { any: ['done'] } })",
  "expect(turn).not.toMeet({ files: [{ path: 'a.txt' }] })",
];

it('a conversation in this process does not judge what it cannot see', async () => {
  const scratch = createScratch('in-process');
  try {
    const { tests } = await runInlineTests(scratch.path, {
      'a.test.ts': `import { expect, test } from 'agent-understudy/vitest';
test.override({
  stage: 'sim',
  options: { inProcess: true },
  scenario: {
    responses: [
      {
        pattern: { type: 'any' },
        response: { text: 'done', tool_calls: [{ tool: 'Write', input: { file_path: 'a.txt', content: 'x' } }] },
      },
    ],
  },
});
${[...UNSEEN, ...SEEN]
  .map(
    (line) =>
      `test(${JSON.stringify(line)}, async ({ conversation }) => { const turn = await conversation.send('hi'); ${line}; });`,
  )
  .join('\n')}
`,
    });
    const titles = (status: string) => tests.filter((test) => test.status === status).map(({ title }) => title);
    expect(titles('passed')).toEqual(SEEN);
    expect(titles('failed')).toEqual(UNSEEN);
    for (const { status, message } of tests) {
      if (status === 'failed') expect(message).toMatch(/could not be judged/);
    }
  } finally {
    await scratch.remove();
  }
}, 90_000);
