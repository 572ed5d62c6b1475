// A plugin, checked: does it load, what does its command become, what does its hook do, by hand and for real.
// Then the plugin is broken, and the same check must say so.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  addAgent,
  Conversation,
  expandCommand,
  fireHooks,
  hookLog,
  inspectPlugin,
  recordHooks,
} from '../../dist/index.js';

const agent = await addAgent('claude');
const plugin = fileURLToPath(new URL('tidy', import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), 'plugin-check-')));
try {
  const report = await inspectPlugin(plugin, { agent });
  assert.equal(report.ok, true, JSON.stringify(report, null, 2));
  console.log(`✓ ${report.plugin} loads in ${report.agent}: ${report.components.length} parts`);

  const { name, text } = await expandCommand({ agent, plugins: [plugin], command: '/sweep src/old' });
  assert.equal(name, 'tidy:sweep');
  assert.match(text, /^Remove what nobody uses from src\/old,/);
  console.log(`✓ /sweep src/old becomes ${JSON.stringify(text)}`);

  const input = { file_path: join(root, 'project/generated/api.ts'), content: 'x' };
  const { fired } = await fireHooks({ from: plugin, event: 'PreToolUse', tool: 'Write', toolInput: input });
  assert.equal(fired[0].blocked, true);
  console.log(`✓ fired by hand, the hook blocks: ${fired[0].stderr.trim()}`);

  const recorder = recordHooks(join(root, 'hooks'));
  const conversation = await Conversation.start({
    plugins: [plugin],
    environment: recorder.environment,
    scenario: { default_response: { text: 'Then I leave it.', tool_calls: [{ tool: 'Write', input }] } },
  });
  await conversation.send('Add an endpoint.');
  await conversation.end();
  const log = hookLog(conversation.events, recorder.readLog());
  assert.deepEqual(
    log.map(({ event, blocked }) => [event, blocked]),
    [
      ['PreToolUse', true],
      ['SessionEnd', false],
    ],
  );
  assert.equal(log[0].action.input.file_path, input.file_path);
  assert.equal(JSON.parse(log[1].stdin).hook_event_name, 'SessionEnd');
  console.log('✓ in a conversation it blocks the same call; the log has SessionEnd too');

  const broken = join(root, 'tidy');
  cpSync(plugin, broken, { recursive: true });
  const hooks = join(broken, 'hooks/hooks.json');
  writeFileSync(hooks, readFileSync(hooks, 'utf8').replace('PreToolUse', 'PreToolUsed'));
  const second = await inspectPlugin(broken, { agent });
  const [failed] = second.components.filter(({ status }) => status === 'failed');
  assert.equal(second.ok, false);
  assert.equal(failed.fix, 'Did you mean PreToolUse?');
  console.log(`✓ broken, it is caught: ${failed.reason}`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
