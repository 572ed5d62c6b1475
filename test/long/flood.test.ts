import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import { FLOODS, writeFloodingCli } from '../helpers/flooding-cli.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('flood');
});
afterEach(() => scratch.remove());

const flooding = (kind: string) => `name = "flood of ${kind}"
limits = { turn_mb = 8 }
allow_unused = true
[[responses]]
pattern = { type = "contains", text = "flood" }
response = "never asked"
[[steps]]
send = "flood ${kind}"
[steps.expect]
outcome = "failed"
[[steps]]
send = "hello"
`;

const MEASURE = `process.on('exit', () => {
  require('node:fs').appendFileSync(process.env.MEASURED, process.resourceUsage().maxRSS + '\\n');
});`;

it('a CLI that floods its output is stopped; its result is not green, and the others go on', async () => {
  const cli = writeFloodingCli(scratch.path);
  const files = Object.fromEntries(FLOODS.map((kind) => [`${kind}.rehearsal.toml`, flooding(kind)]));
  writeFiles(scratch.path, {
    ...files,
    'z.rehearsal.toml': greeting({ name: 'a modest turn', more: 'allow_unused = true' }),
    'measure.cjs': MEASURE,
  });
  const measured = join(scratch.path, 'measured');
  const { code, stdout, stderr } = await runUnderstudy(['run', '--stage', 'scripted', '--workers', '1'], {
    cwd: scratch.path,
    env: { UNDERSTUDY_CLAUDE: cli, NODE_OPTIONS: `--require ${join(scratch.path, 'measure.cjs')}`, MEASURED: measured },
  });
  expect(stderr).not.toContain('    at ');
  for (const kind of FLOODS) expect(stdout).toContain(`✗ flood of ${kind}`);
  expect(stdout).toContain('more than 8 MB of output in one turn');
  expect(stdout).toContain('limits.turn_mb');
  expect(stdout).toContain('✓ a modest turn');
  expect(stdout).toMatch(/1 passed, 4 (failed|unjudged)|4 (failed|unjudged), 1 passed/);
  expect(code).toBe(1);
  const megabytes = Math.max(...readFileSync(measured, 'utf8').trim().split('\n').map(Number)) / 1024;
  expect(megabytes).toBeLessThan(400);
});

it('from code, send() gives the cut turn with its reason, and the log tells the cut once', async () => {
  process.env['UNDERSTUDY_CLAUDE'] = writeFloodingCli(scratch.path);
  try {
    await using conversation = await Conversation.start({
      cwd: scratch.path,
      scenario: { responses: [{ pattern: { type: 'contains', text: 'flood' }, response: 'never asked' }] },
      limits: { turnBytes: 200_000 },
    });
    expect(await conversation.send('hello')).toMatchObject({ outcome: 'completed' });
    const turn = await conversation.send('flood messages');
    expect(turn).toMatchObject({ outcome: 'failed', reason: 'too_much_output' });
    expect(turn.message).toContain('more than 200000 bytes of output in one turn');
    expect(turn.events.filter(({ type }) => type === 'output_cut')).toMatchObject([
      { scope: 'turn', limitBytes: 200_000 },
    ]);
    expect(JSON.stringify(turn.events).length).toBeLessThan(1_000_000);
  } finally {
    delete process.env['UNDERSTUDY_CLAUDE'];
  }
});
