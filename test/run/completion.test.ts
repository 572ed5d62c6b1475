import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Terminal } from '../../packages/agents/src/terminal/terminal.js';
import { scrubbedEnvironment } from '../../packages/kit/src/process/environment.js';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { UNDERSTUDY } from '../helpers/understudy.js';

const scratch = createScratch('completion');
const cwd = join(scratch.path, 'project');
afterAll(() => scratch.remove());

it('completes targets, tags, versions of agents and rehearsals in a real bash', { timeout: 60_000 }, async () => {
  writeFiles(cwd, {
    'understudy.toml': '[[targets]]\nname = "nightly"\n',
    'my tests/a $(touch hacked).rehearsal.toml': greeting({ more: 'tags = ["slow", "$(touch hacked)"]' }),
    'my tests/notes.txt': '',
    'bin/understudy': `#!/bin/sh\nexec '${process.execPath}' '${UNDERSTUDY}' "$@"\n`,
  });
  chmodSync(join(cwd, 'bin/understudy'), 0o755);
  writeFileSync(join(cwd, 'rc'), `PS1='ready> '\nunset HISTFILE\neval "$(understudy completion bash)"\n`);
  const PATH = [join(cwd, 'bin'), process.env['PATH'] ?? ''].join(delimiter);
  const terminal = await Terminal.start({
    ...{ command: ['bash', '--noprofile', '--rcfile', 'rc', '-i'], cwd, columns: 150 },
    env: { ...scrubbedEnvironment(), PATH, HOME: scratch.path, TERM: 'xterm' },
  });
  try {
    const shows = (text: string) => expect.poll(() => terminal.text(), { timeout: 20_000 }).toContain(text);
    const complete = async (line: string, shown: string) => {
      await shows('ready>');
      terminal.type(`${line}\t`);
      await shows(`ready> ${shown}`.trimEnd());
      // Ctrl-U: the line was never run.
      terminal.type('\u0015\u000c');
    };
    await complete('understudy run --target nig', 'understudy run --target nightly ');
    await complete('understudy test -g @sl', 'understudy test -g @slow ');
    await complete('understudy run my', 'understudy run my\\ tests/');
    await complete(
      'understudy check my\\ tests/a',
      'understudy check my\\ tests/a\\ \\$\\(touch\\ hacked\\).rehearsal.toml ',
    );
    await complete('understudy run --agent kir', 'understudy run --agent kiro ');
    expect(existsSync(join(cwd, 'hacked'))).toBe(false);
  } finally {
    await terminal.end();
  }
});
