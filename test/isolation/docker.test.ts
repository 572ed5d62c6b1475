import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { attacks, escapesOf, hostileRehearsal, programRehearsal } from '../helpers/hostile-agent.js';
import { runUnderstudy } from '../helpers/understudy.js';

/** `node scripts/with-docker.mjs npx vitest run` starts an engine with this image. */
const IMAGE = process.env['UNDERSTUDY_TEST_IMAGE'] ?? '';

it('agents and programs run in containers, and what they try is seen', async ({ skip }) => {
  skip(IMAGE === '', 'no container engine could be started');
  const scratch = createScratch('docker-e2e');
  onTestFinished(() => scratch.remove());
  const folder = join(scratch.path, 'rehearsals');
  mkdirSync(folder);
  const outward = attacks['connects outward']?.command ?? '';
  const files = {
    sound: hostileRehearsal(['echo x > made; cat made'], { agent: ['claude'], stage: 'sim' }),
    hostile: hostileRehearsal([outward, 'touch /usr/x'], { agent: ['codex', 'gemini'], stage: 'sim' }),
    program: programRehearsal('cat /proc/1/comm; echo x > made'),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.rehearsal.toml`), text);
  const env = { DOCKER_HOST: process.env['DOCKER_HOST'] ?? '' };
  const { stdout, stderr } = await runUnderstudy(['run', '.', '--json', '--isolation', `docker=${IMAGE}`], {
    ...{ cwd: folder, env },
  });
  const { entries } = JSON.parse(stdout) as RunResult;
  const of = (file: string) => entries.filter((entry) => entry.file?.includes(file));
  expect(of('sound')[0], stderr).toMatchObject({ status: 'passed' });
  expect(of('program')[0]).toMatchObject({ status: 'passed' });
  expect(of('program')[0]?.steps[0]?.said).toContain('perl');
  expect(escapesOf(of('sound')[0])).toMatchObject({ status: 'passed' });
  expect(of('hostile')).toHaveLength(2);
  for (const entry of of('hostile')) {
    expect(escapesOf(entry)?.evidence.join('\n')).toMatch(
      /had no way out[\s\S]*may only read|may only read[\s\S]*had no way out/,
    );
  }
  const missing = await runUnderstudy(['run', '.', '--isolation', 'docker=understudy-no-such-image'], {
    cwd: folder,
    env,
  });
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('has no image understudy-no-such-image') });
  const left = spawnSync('docker', ['ps', '--all', '--format', '{{.Names}}'], { encoding: 'utf8' });
  expect(left.stdout.split('\n').filter(isOfEndedProcess)).toEqual([]);
});

/** Another test may have containers, too. */
function isOfEndedProcess(name: string): boolean {
  const id = /^understudy-(\d+)-/.exec(name)?.[1];
  return id !== undefined && !existsSync(`/proc/${id}`);
}
