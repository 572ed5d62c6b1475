import { UnderstudyError } from '@understudy/kit';
import type { Language, ProjectType } from './project-spec.js';

/** A project's name as people write it, and as manifests need it. */
export interface ProjectName {
  title: string;
  slug: string;
}

const LONGEST = 60;
/** Begins with a letter; letters, digits, spaces, dots, dashes and underscores follow. No path, no quote, no newline. */
const ALLOWED = /^[A-Za-z](?:[A-Za-z0-9 ._-]*[A-Za-z0-9])?$/;

const DEFAULTS: Record<ProjectType, string> = {
  'web-app': 'Task Board',
  cli: 'Notes',
  library: 'Durations',
};

/** Checks a given name, or takes the type's own. It goes into manifests and headings only, never into module names. */
export function projectName(type: ProjectType, language: Language, given?: string): ProjectName {
  const title = given ?? `${DEFAULTS[type]} ${language}`;
  if (title.length > LONGEST || !ALLOWED.test(title)) {
    throw new UnderstudyError('WORKSPACE_BAD_NAME', `${JSON.stringify(title)} cannot be the name of a test project`, {
      fix: `Begin with a letter, go on with letters, digits, spaces, ".", "-" or "_", end with a letter or digit, at most ${LONGEST} characters.`,
    });
  }
  return { title, slug: title.toLowerCase().replace(/[^a-z0-9]+/g, '-') };
}
