import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { defineScenario } from '../../packages/script/src/load.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import { readPlugin } from '../../packages/stage/src/plugins/declared/plugin.js';
import { markdown, writePlugin } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-lines-')));
afterAll(() => rmSync(root, { recursive: true }));

/** What a command has in !`…`, and its `allowed-tools`. */
const LINES: [line: string, allowed?: string][] = [
  ['git status'],
  ['git status --short', 'Bash(git status:*)'],
  ['git push --dry-run'],
  ['git fetch --dry-run', 'Bash(git fetch:*)'],
  ['node -e "console.log(1)"'],
  ['node -e "console.log(1)"', 'Bash'],
  ['node -e "console.log(1)"', 'Bsh'],
  ['node -e "console.log(1)"', 'Bash(node:*)'],
  ['echo $ARGUMENTS'],
  ['git log -n 1 $1'],
  ['ls -la'],
  ['cat ${CLAUDE_PLUGIN_ROOT}/.claude-plugin/plugin.json'],
  ['cat ${CLAUDE_PLUGIN_ROOT}/.claude-plugin/plugin.json', 'Bash(cat:*)'],
  ['bash ${CLAUDE_PLUGIN_ROOT}/run.sh'],
  ['bash ${CLAUDE_PLUGIN_ROOT}/run.sh', 'Bash(bash ${CLAUDE_PLUGIN_ROOT}/run.sh:*)'],
  ['${CLAUDE_PLUGIN_ROOT}/run.sh', 'Bash(${CLAUDE_PLUGIN_ROOT}/run.sh:*)'],
  ['pwd && date'],
  ['git branch --show-current 2>/dev/null || echo none'],
  ['command -v no-such-program || echo none'],
  ['test -f x && cat x || echo none'],
  ['find . -name "*.md" | head -5'],
  ['gh pr list || true'],
  ['gh pr list || true', 'Bash(gh pr list:*)'],
  ['echo "$(date +%F)"'],
  ['echo "$HOME"'],
  ['[ -d x ] && echo yes || echo no'],
  ['jq -n 1 || true'],
  ['python3 -c "print(1)"', 'Read, Bash(python3:*)'],
];

it('knows which lines of the shell in a command the real CLI refuses', async (context) => {
  const agent = await realAgent('claude', context);
  if (agent === undefined) return;
  const files = Object.fromEntries(
    LINES.map(([line, allowed], index) => [
      `commands/c${index}.md`,
      markdown(
        { description: 'Looks', ...(allowed === undefined ? {} : { 'allowed-tools': allowed }) },
        `!\`${line}\``,
      ),
    ]),
  );
  const folder = writePlugin(root, 'lines', { ...files, 'run.sh': '#!/bin/sh\necho ran\n' });
  const declared = readPlugin(folder).components.flatMap((part) => ('names' in part ? [part] : []));
  const conversation = await Conversation.start({
    agent: 'claude',
    stage: 'scripted',
    plugins: [folder],
    scenario: defineScenario({ default_response: 'Understood.' }),
  });
  const differ: unknown[] = [];
  const refused: string[] = [];
  for (const [index, [line, allowed]] of LINES.entries()) {
    const turn = await conversation.send(`/lines:c${index} one two`);
    const isRefused = turn.text.includes('permission check failed');
    if (isRefused) refused.push(line);
    const known = declared.find(({ names }) => names[0] === `c${index}`)?.defect;
    if (isRefused !== (known !== undefined)) differ.push({ line, allowed, said: turn.text, known });
  }
  await conversation.end();
  expect(differ).toEqual([]);
  expect(refused).toContain('node -e "console.log(1)"');
  expect(refused.length).toBeLessThan(LINES.length - 5);
});
