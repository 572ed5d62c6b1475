import {
  addRules,
  COMMANDS,
  type CommandDefinition,
  commandName,
  findSkill,
  resolveModel,
  ShellLineError,
  SKILLS,
  skillName,
} from '@understudy/agents';
import { defined } from '@understudy/kit';
import { REFUSED } from '../refused.js';
import { expandInSession } from '../session/run-line.js';
import type { Session } from '../session/session.js';
import { type LiveTool, refuse, ToolFailure, text } from '../tools/live-tool.js';

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
      if (skill !== undefined || SKILLS.includes(name))
        return session.offersSkill(skill?.name ?? name)
          ? undefined
          : `Skill ${name} is not in this session's skills allowlist`;
      // The CLI has words for each of these.
      if (COMMANDS.includes(commandName(name)) || session.parts.pluginProblems.length > 0)
        refuse(`${REFUSED.otherSkills} ${name}`);
      return `Unknown skill: ${name}`;
    },
    async run(input) {
      const name = skillName(text(input, 'skill'));
      const skill = findSkill(commands, name);
      if (skill === undefined)
        throw new ToolFailure(`The stand-in does not have the skill ${name}. Give the call a result in the scenario.`);
      const { allowedTools } = skill;
      addRules(session.turn.rules, allowedTools, 'session', cwd);
      if (skill.forked !== undefined) refuse(`${REFUSED.calledForks} ${name}`);
      // Its effort counts from now on, its model does not.
      session.turn.ofCommand = { ...session.turn.ofCommand, ...defined({ effort: skill.effort }) };
      const args = text(input, 'args');
      const body = expand(session, skill, args);
      const { loadedSkills } = session.subagent ?? session.conversation;
      const before = loadedSkills.get(skill.name);
      loadedSkills.set(skill.name, body);
      return {
        content: `Launching skill: ${name}`,
        useResult: {
          success: true,
          commandName: name,
          ...(allowedTools.length > 0 ? { allowedTools } : {}),
          ...(skill.model === undefined ? {} : { model: resolveModel(skill.model) }),
        },
        companions:
          before === body
            ? [unchangedNotice(name, args)]
            : [...(before === undefined ? [] : [againNotice(name)]), [{ type: 'text', text: body }]],
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

function unchangedNotice(name: string, args: string): string {
  return `Skill /${name} is already loaded above; instructions unchanged.${args === '' ? '' : ` Arguments: ${args}`}`;
}

function againNotice(name: string): string {
  return `(Re-invocation of /${name} — the skill instructions were previously loaded; the arguments or dynamic output below are new.)`;
}
