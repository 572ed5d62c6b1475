import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ownFile } from '@understudy/kit';
import type { ProjectName } from './project-name.js';
import { Language, type ProjectSpec, type ProjectType } from './project-spec.js';
import type { SampleFile } from './sample-files.js';

/** How a test project is tested and started. */
export interface ProjectCommands {
  testCommand: readonly string[];
  /** Web projects: listens on the port in PORT. */
  serveCommand?: readonly string[];
  /** Command line projects: what to put arguments behind. */
  runCommand?: readonly string[];
}

const TEST: Record<Language, readonly string[]> = {
  python: ['python3', '-m', 'unittest'],
  javascript: ['node', '--test'],
  go: ['go', 'test', './...'],
};

const START: Record<ProjectType, Record<Language, Partial<ProjectCommands>>> = {
  'web-app': {
    python: { serveCommand: ['python3', '-m', 'board'] },
    javascript: { serveCommand: ['node', 'src/main.js'] },
    go: { serveCommand: ['go', 'run', '.'] },
  },
  cli: {
    python: { runCommand: ['python3', '-m', 'notes'] },
    javascript: { runCommand: ['node', 'bin/notes.js'] },
    go: { runCommand: ['go', 'run', '.'] },
  },
  library: { python: {}, javascript: {}, go: {} },
};

export function projectCommands({ type, language }: ProjectSpec): ProjectCommands {
  return { testCommand: TEST[language], ...START[type][language] };
}

/**
 * The files of a test project, from `packages/stage/templates/TYPE/LANGUAGE`. What stands beside the languages is the
 * same in each. `{{title}}` and `{{slug}}` are the name; npm would leave out a file with the name .gitignore.
 */
export function projectFiles({ type, language }: ProjectSpec, name: ProjectName): SampleFile[] {
  const root = ownFile(join('packages', 'stage', 'templates', type));
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry): SampleFile[] => {
    const file = join(entry.parentPath, entry.name);
    const [first = '', ...rest] = relative(root, file).split(sep);
    const isShared = !Language.options.some((other) => other === first);
    if (!entry.isFile() || (first !== language && !isShared)) return [];
    const path = (isShared ? [first, ...rest] : rest).join('/').replace(/^gitignore$/, '.gitignore');
    const content = readFileSync(file, 'utf8').replace(
      /\{\{(title|slug)\}\}/g,
      (_, key: keyof ProjectName) => name[key],
    );
    return [{ path, content, executable: content.startsWith('#!') }];
  });
}
