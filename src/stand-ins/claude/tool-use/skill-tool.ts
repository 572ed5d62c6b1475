import { COMMANDS, SKILLS, UI_COMMANDS } from '../../../claude-code/built-in.js';
import { findSkill, skillName } from '../../../claude-code/find-skill.js';
import { addRules } from '../../../claude-code/permissions/rules.js';
import { type CommandDefinition, ShellLineError } from '../../../claude-code/slash-commands.js';
import { editDistance } from '../../../document/nearest.js';
import { expandInSession } from '../session/run-line.js';
import type { Session } from '../session/session.js';
import { type LiveTool, ToolFailure, text } from '../tools/live-tool.js';

/** The tool with which the model runs a skill or command. Its text follows the result. */
export function skillTool(session: Session): LiveTool {
  const { commands, cwd } = session.parts;
  return {
    parameters: { skill: { type: 'string', required: true }, args: { type: 'string' } },
    check(input) {
      const name = skillName(text(input, 'skill'));
      const skill = findSkill(commands, name);
      if (skill?.hidden === true)
        return `Skill ${name} cannot be used with Skill tool due to disable-model-invocation. Ask the user to run /${name} themselves — it cannot be invoked via the Skill tool. Do not replicate this skill's workflow by other means — it is reserved for explicit user invocation.`;
      if (skill !== undefined || SKILLS.includes(name)) return undefined;
      const near = similarName(name, [
        ...commands.map((command) => command.name),
        ...SKILLS,
        ...COMMANDS,
        ...UI_COMMANDS,
      ]);
      if (near === name)
        return `${name} is a UI command, not a skill. Ask the user to run /${name} themselves — it cannot be invoked via the Skill tool.`;
      return `Unknown skill: ${name}${near === undefined ? '' : `. Did you mean ${near}?`}${lostPlugins(session)}`;
    },
    async run(input) {
      const name = skillName(text(input, 'skill'));
      const skill = findSkill(commands, name);
      if (skill === undefined)
        throw new ToolFailure(`The stand-in does not have the skill ${name}. Give the call a result in the scenario.`);
      const { allowedTools } = skill;
      addRules(session.commandRules, allowedTools, 'session', cwd);
      const again = session.launchedSkills.has(skill.name);
      session.launchedSkills.add(skill.name);
      return {
        content: `Launching skill: ${name}`,
        useResult: { success: true, commandName: name, ...(allowedTools.length > 0 ? { allowedTools } : {}) },
        permissions: allowedTools,
        companions: [
          ...(again ? [againNotice(name)] : []),
          [{ type: 'text', text: expand(session, skill, text(input, 'args')) }],
        ],
      };
    },
  };
}

function expand(session: Session, skill: CommandDefinition, args: string): string {
  try {
    return expandInSession(session, skill, args);
  } catch (error) {
    throw error instanceof ShellLineError ? new ToolFailure(error.message) : error;
  }
}

function againNotice(name: string): string {
  return `(Re-invocation of /${name} — the skill instructions were previously loaded; the arguments or dynamic output below are new.)`;
}

/** The skill may be in a plugin that did not load. */
function lostPlugins({ parts }: Session): string {
  // Those that did load have a name.
  const count = parts.pluginProblems.filter(({ plugin }) => plugin.startsWith('inline[')).length;
  if (count === 0) return '';
  const which = count === 1 ? '1 plugin' : `${count} plugins`;
  return `. ${which} did not load in this session (load error); if this skill belongs to it, tell the user its plugin could not be loaded here, not that the skill is not installed.`;
}

/** The name that differs in two letters at most. */
function similarName(name: string, known: readonly string[]): string | undefined {
  const near = known.map((word) => ({ word, distance: editDistance(name, word) }));
  const best = near.sort((a, b) => a.distance - b.distance)[0];
  return best !== undefined && best.distance <= 2 ? best.word : undefined;
}
