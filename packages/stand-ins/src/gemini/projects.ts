import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readIfThere } from '@understudy/kit';

/** The folder of Gemini CLI in a home. */
export function geminiHome(env: NodeJS.ProcessEnv, cwd: string): string {
  return join(env['GEMINI_CLI_HOME'] || env['HOME'] || cwd, '.gemini');
}

/** Where Gemini CLI keeps what belongs to a project. The first use of a project gives it a short name. */
export function projectFolder(env: NodeJS.ProcessEnv, cwd: string): string {
  const home = geminiHome(env, cwd);
  const list = join(home, 'projects.json');
  const projects = readProjects(list);
  let name = projects[cwd];
  if (name === undefined) {
    const wanted =
      basename(cwd)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-+|-+$/g, '') || 'project';
    const taken = new Set(Object.values(projects));
    name = wanted;
    for (let count = 1; taken.has(name); count++) name = `${wanted}-${count}`;
    mkdirSync(home, { recursive: true });
    writeFileSync(list, JSON.stringify({ projects: { ...projects, [cwd]: name } }, null, 2));
  }
  const folder = join(home, 'tmp', name);
  mkdirSync(join(folder, 'chats'), { recursive: true });
  writeFileSync(join(folder, '.project_root'), cwd);
  return folder;
}

function readProjects(file: string): Record<string, string> {
  try {
    const { projects = {} } = JSON.parse(readIfThere(file) ?? '{}') as { projects?: Record<string, string> };
    return projects;
  } catch {
    return {};
  }
}
