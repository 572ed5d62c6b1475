import { expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { runInlineTests } from '../helpers/run-inline-tests.js';

/** docs/vitest.md says that `inProcess` cannot see these. */
const UNSEEN = [
  "expect(agent).not.toHaveLoadedPlugins('greeter')",
  "expect(turn).not.toHaveFiredHook('PreToolUse')",
  "expect(turn).not.toHaveToldModel({ message: 'x' })",
  "expect(turn).not.toHaveAskedPermission('Bash', 'deny')",
  "expect(turn).not.toHaveUsedSubagents(['x'])",
  'expect(turn).not.toStayWithinBudget({ max_cost_usd: 1 })',
];
const SEEN = [
  "expect(turn).toHaveUsedTools(['Write'])",
  "expect(turn).toMentionAny(['done'])",
  "expect(turn).not.toHaveChangedFile('a.txt')",
];

it('a conversation in this process does not judge what it cannot see', async () => {
  const scratch = createScratch('in-process');
  try {
    const { tests } = await runInlineTests(scratch.path, {
      'a.test.ts': `import { expect, test } from 'agent-understudy/vitest';
test.override({
  stage: 'sim',
  conversation: { inProcess: true },
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
    (line) => `test(${JSON.stringify(line)}, async ({ agent }) => { const turn = await agent.send('hi'); ${line}; });`,
  )
  .join('\n')}
`,
    });
    const titles = (status: string) => tests.filter((test) => test.status === status).map(({ title }) => title);
    expect(titles('passed')).toEqual(SEEN);
    expect(titles('failed')).toEqual(UNSEEN);
    for (const { status, message } of tests) {
      if (status === 'failed') expect(message).toMatch(/could not be judged|_NOT_REPORTED/);
    }
  } finally {
    await scratch.remove();
  }
}, 90_000);
