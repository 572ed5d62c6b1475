// Runs the ten-line program, and a longer conversation over two stages; says what it saw.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAgent, Conversation, loadWorkflow, readEventLog, replayEvents } from '../../dist/index.js';

await addAgent('claude', { onProgress: ({ agent, version, step }) => console.error(`${agent}@${version}: ${step}`) });
await import('./ten-lines.mjs');
console.log('✓ the ten-line program');

const folder = mkdtempSync(join(tmpdir(), 'conversation-'));
const project = mkdtempSync(join(folder, 'project-'));
writeFileSync(join(project, 'app.py'), 'print("hello")\n');
try {
  const conversation = await Conversation.start({
    cwd: project,
    artifacts: join(folder, 'run'),
    permissions: ({ tool }) =>
      tool === 'Bash' ? { behavior: 'deny', message: 'no shell today' } : { behavior: 'allow' },
    scenario: {
      responses: [
        {
          pattern: { type: 'contains', text: 'greet' },
          response: {
            text: 'It greets.',
            tool_calls: [{ tool: 'write', input: { path: 'greet.py', content: 'print("hi")\n' } }],
          },
        },
        {
          pattern: { type: 'contains', text: 'clean' },
          response: {
            text: 'I was not allowed to.',
            tool_calls: [{ tool: 'shell', input: { command: 'rm -f app.py' } }],
          },
        },
      ],
    },
  });
  const greet = await conversation.send('make it greet');
  assert.deepEqual(
    greet.files.map(({ path, change }) => `${change} ${path}`),
    ['created greet.py'],
  );
  console.log('✓ a tool wrote a file, and the turn knows it');

  const clean = await conversation.send('clean up');
  assert.deepEqual([clean.tools[0].status, clean.text], ['denied', 'I was not allowed to.']);
  console.log('✓ a permission was denied by the test');

  const nonsense = await conversation.send('what nobody expects');
  assert.deepEqual([nonsense.outcome, nonsense.reason], ['failed', 'api_error']);
  console.log('✓ a prompt that no rule answers fails the turn');
  await conversation.end();

  const stored = readEventLog(join(folder, 'run', 'events.jsonl'));
  assert.deepEqual(replayEvents(stored, loadWorkflow('agent-loop')).history, conversation.stateHistory);
  assert.ok(readFileSync(join(folder, 'run', 'requests.jsonl'), 'utf8').includes('make it greet'));
  console.log('✓ the stored log gives the same states');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
