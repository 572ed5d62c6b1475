import type { CommandDefinition } from './slash-commands.js';

/** The command that a user types so: by its name, or by an alias. */
export function findCommand(commands: readonly CommandDefinition[], typed: string): CommandDefinition | undefined {
  return commands.find(({ name }) => name === typed) ?? commands.find(({ aliases }) => aliases?.includes(typed));
}

/** The skill or command that the model calls so. */
export function findSkill(commands: readonly CommandDefinition[], skill: string): CommandDefinition | undefined {
  return findCommand(commands, skillName(skill));
}

/** The same for the skills that an agent names: that of a plugin can be named without the plugin. */
export function findSkillOfAgent(commands: readonly CommandDefinition[], skill: string): CommandDefinition | undefined {
  const wanted = skillName(skill);
  return (
    findCommand(commands, wanted) ??
    commands.find(({ name, plugin }) => plugin !== undefined && name.endsWith(`:${wanted}`))
  );
}

/** A model may write the slash. */
export function skillName(skill: string): string {
  return skill.trim().replace(/^\//, '');
}
