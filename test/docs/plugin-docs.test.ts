import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const [snippet = ''] = [...readFileSync('docs/plugins.md', 'utf8').matchAll(/^```toml\n([\s\S]*?)^```$/gm)].map(
  ([, code = '']) => code,
);

it.each(['sim', 'scripted'] as const)(
  'plays the rehearsal of docs/plugins.md with a script of a skill, on %s',
  async (stage) => {
    if (stage === 'scripted' && (await realAgent('claude')) === undefined) return;
    const scratch = createScratch('plugin-docs');
    onTestFinished(() => scratch.remove());
    writeFiles(scratch.path, {
      '.claude-plugin/plugin.json': '{ "name": "writer" }',
      'skills/report/SKILL.md': '---\nname: report\ndescription: Counts words\n---\nCount them with count.sh.\n',
      'skills/report/scripts/count.sh': '#!/bin/sh\nwc -w < "$1"\n',
      'rehearsals/report.rehearsal.toml': snippet,
    });
    chmodSync(join(scratch.path, 'skills/report/scripts/count.sh'), 0o755);
    const { code, stdout, stderr } = await runUnderstudy(['run', '--stage', stage], { cwd: scratch.path });
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    const broken = snippet.replace('count.sh README', 'nothing.sh README');
    writeFiles(scratch.path, { 'rehearsals/report.rehearsal.toml': broken });
    expect((await runUnderstudy(['run', '--stage', stage], { cwd: scratch.path })).stdout).toContain(
      'seen      Skill → ok, Bash → error',
    );
  },
);
