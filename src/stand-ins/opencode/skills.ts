import { join } from 'node:path';
import { actionFor, isHidden, type Rule } from './permissions/rules.js';
import { filesBelow, readMarkdown } from './settings/markdown.js';
import { type Places, upwards } from './settings/places.js';

/** What the model is told of the skills of the user and the project. */
export function skillListing(places: Places, folders: readonly string[], rules: readonly Rule[]): string[] {
  if (isHidden('skill', rules)) return [];
  const outside = [places.home, ...(places.ignoresProject ? [] : upwards(places.cwd, places.worktree))].flatMap(
    (folder) => ['.claude', '.agents'].map((name) => join(folder, name, 'skills')),
  );
  const inside = folders.flatMap((folder) => ['skill', 'skills'].map((name) => join(folder, name)));
  const found = [...new Set([...outside, ...inside])].flatMap((folder) =>
    filesBelow(folder)
      .filter((file) => file.endsWith('/SKILL.md'))
      .map((file) => ({ location: join(folder, file), ...readMarkdown(join(folder, file)).fields })),
  );
  const skills = found.flatMap(({ location, ...fields }) => {
    const { name, description } = fields as { name?: unknown; description?: unknown };
    return typeof name === 'string' && typeof description === 'string' ? [{ name, description, location }] : [];
  });
  const shown = skills
    .filter(({ name }) => actionFor('skill', name, rules) !== 'deny')
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap(({ name, description, location }) => [
      '  <skill>',
      `    <name>${name}</name>`,
      `    <description>${description}</description>`,
      `    <location>${location}</location>`,
      '  </skill>',
    ]);
  return shown.length === 0 ? [] : [shown.join('\n')];
}
