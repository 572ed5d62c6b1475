import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scrubbedEnvironment } from '../../packages/kit/src/process/environment.js';
import { runToEnd } from '../../packages/kit/src/process/run-to-end.js';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { createProject, type Project } from '../../packages/stage/src/workspace/create-project.js';
import { startProjectServer } from '../../packages/stage/src/workspace/dev-server.js';
import { git, initRepository } from '../../packages/stage/src/workspace/git.js';
import { Language, type ProjectType } from '../../packages/stage/src/workspace/project-spec.js';
import { toolchainEnvironment } from '../../packages/stage/src/workspace/toolchain.js';
import { onPath, optionalProgram } from '../helpers/optional-program.js';
import { LONG } from '../helpers/seeded.js';

let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch('projects');
});
afterAll(() => scratch.remove());

let made = 0;
function make(type: ProjectType, language: Language): Project {
  return createProject(join(scratch.path, `${type}-${language}-${++made}`), { type, language });
}

function run(project: Project, command: readonly string[], environment: Record<string, string> = {}) {
  return runToEnd({
    command,
    cwd: project.folder,
    env: scrubbedEnvironment({ ...toolchainEnvironment(project.language), ...environment }),
    // The first build in Go on a machine compiles its libraries, too.
    deadlineMs: 240_000,
  });
}

const PROGRAMS: Record<Language, string> = { python: 'python3', javascript: 'node', go: 'go' };

// Go is for a long run: its first build on a machine takes longer than all else here.
for (const language of Language.options.filter((one) => LONG || one !== 'go')) {
  // Go is no part of what .ci/run installs: its tests run where it is.
  const program = onPath(PROGRAMS[language]);
  if (program === undefined && language === 'python') optionalProgram('python3', 'the tests of Python projects');
  else if (program === undefined)
    console.warn(`skipped: the tests of ${language} projects, because ${language} is not on this machine`);

  describe.skipIf(program === undefined)(`projects in ${language}`, { timeout: 300_000 }, () => {
    it.each(['web-app', 'cli', 'library'] as const)(
      'the tests of the %s pass, and leave the project clean',
      async (type) => {
        const project = make(type, language);
        await initRepository(project.folder);
        const outcome = await run(project, project.testCommand);
        expect(outcome.stdout + outcome.stderr).toMatch(
          /^(OK|# pass [1-9]\d*|ok\s+example\.com\/\S+.*|ℹ pass [1-9]\d*)$/m,
        );
        expect(outcome.code).toBe(0);
        expect(await git(project.folder, ['status', '--porcelain', '--ignored'])).toBe('');
      },
    );

    it('the tests of the library fail when its code is broken', async () => {
      const project = make('library', language);
      const file = project.files.find((path) => /durations\.(py|js|go)$/.test(path)) ?? '';
      const path = join(project.folder, file);
      writeFileSync(path, readFileSync(path, 'utf8').replace('3600', '3601'));
      expect((await run(project, project.testCommand)).code).not.toBe(0);
    });

    it('the command line keeps notes', async () => {
      const project = make('cli', language);
      const environment = { NOTES_FILE: join(scratch.path, `${language}.json`) };
      const notes = async (...args: string[]) => run(project, [...(project.runCommand ?? []), ...args], environment);
      expect((await notes('add', 'buy milk')).stdout).toBe('note 1 added');
      expect((await notes('list')).stdout).toBe('1. buy milk');
      const refused = await notes('remove', '9');
      expect(refused.stderr).toContain('there is no note 9');
      expect(refused.code).toBe(1);
    });

    it('the web server answers with the page and keeps tasks', async () => {
      const server = await startProjectServer(make('web-app', language));
      try {
        const added = await fetch(`${server.url}/api/tasks`, { method: 'POST', body: '{"title":"write"}' });
        expect(added.status).toBe(201);
        expect(await (await fetch(`${server.url}/api/tasks`)).json()).toEqual([{ id: 1, title: 'write', done: false }]);
        expect(await (await fetch(`${server.url}/styles.css`)).text()).toContain('padding: 8px 32px');
      } finally {
        await server.stop();
      }
      await expect(fetch(server.url)).rejects.toThrow();
    });
  });
}
