import type { CommandDefinition } from './slash-commands.js';

/** The skill or command that the model calls so; that of a plugin can be called without the plugin's name. */
export function findSkill(commands: readonly CommandDefinition[], skill: string): CommandDefinition | undefined {
  const wanted = skillName(skill);
  return (
    commands.find(({ name }) => name === wanted) ??
    commands.find(({ name, pluginRoot }) => pluginRoot !== undefined && name.endsWith(`:${wanted}`))
  );
}

/** A model may write the slash. */
export function skillName(skill: string): string {
  return skill.trim().replace(/^\//, '');
}
