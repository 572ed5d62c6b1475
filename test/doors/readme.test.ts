import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('readme');
});
afterEach(() => scratch.remove());

/** The first block of a language in the README. */
function block(language: string): string {
  const [, body = ''] =
    new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readFileSync('README.md', 'utf8')) ?? [];
  expect(body).not.toBe('');
  return body;
}

/** The plugin that the README speaks of, whose hook ends with `code`. */
function writePlugin(code: number): void {
  const write = (name: string, text: string) => writeFileSync(join(scratch.path, name), text);
  for (const folder of ['.claude-plugin', 'hooks']) mkdirSync(join(scratch.path, folder), { recursive: true });
  write(
    '.claude-plugin/plugin.json',
    JSON.stringify({ name: 'careful', version: '1.0.0', description: 'Works with care' }),
  );
  write('hooks/guard.sh', `if grep -q 'push --force'; then echo 'Never by force.' >&2; exit ${code}; fi\n`);
  const hook = { type: 'command', command: 'sh "${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh"' };
  write('hooks/hooks.json', JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } }));
  write('guard.rehearsal.toml', block('toml'));
}

it.for(['sim', 'scripted'])(
  'the test of the README is red as it says, and green with exit 2, on %s',
  async (stage, context) => {
    if (stage === 'scripted') await realAgent('claude', context);
    writePlugin(1);
    const red = await runUnderstudy(['run', '--stage', stage], { cwd: scratch.path });
    expect(red.code).toBe(1);
    const shown = block('text').split('\n').slice(1);
    for (const line of shown) expect(red.stdout.split('\n')).toContain(line);
    writePlugin(2);
    expect(await runUnderstudy(['run', '--stage', stage], { cwd: scratch.path })).toMatchObject({ code: 0 });
  },
);
