import { basename } from 'node:path';
import {
  COMMAND_ALIASES,
  COMMANDS,
  commandName,
  PRINTING_COMMANDS,
  SKILLS,
  UI_COMMANDS,
  USER_SKILLS,
} from '../../../claude-code/built-in.js';
import { findSkill, skillName } from '../../../claude-code/find-skill.js';
import { resolveModel } from '../../../claude-code/models.js';
import { addRules } from '../../../claude-code/permissions/rules.js';
import { type CommandDefinition, ShellLineError } from '../../../claude-code/slash-commands.js';
import { defined } from '../../../document/defined.js';
import { editDistance } from '../../../document/nearest.js';
import { expandInSession } from '../session/run-line.js';
import type { Session } from '../session/session.js';
import { type LiveTool, ToolFailure, type ToolRun, text } from '../tools/live-tool.js';
import type { ForkedSkill } from './requested-tool.js';

/** Of two names that are equally similar, the CLI names the first: skills, then commands, then their other names. */
const NAMES: readonly string[] = [
  ...SKILLS,
  ...[...new Set([...COMMANDS, ...UI_COMMANDS, ...PRINTING_COMMANDS, ...USER_SKILLS])].sort(),
  ...Object.keys(COMMAND_ALIASES),
];

/** The tool with which the model runs a skill or command. Its text follows the result. */
export function skillTool(
  session: Session,
  runForked: (skill: ForkedSkill, name: string) => Promise<ToolRun>,
): LiveTool {
  const { commands, cwd } = session.parts;
  return {
    parameters: { skill: { type: 'string', required: true }, args: { type: 'string' } },
    check(input) {
      const name = skillName(text(input, 'skill'));
      const skill = findSkill(commands, name);
      if (skill?.hidden === true || (skill === undefined && USER_SKILLS.includes(name)))
        return `Skill ${name} cannot be used with Skill tool due to disable-model-invocation. ${askUser(name)} Do not replicate this skill's workflow by other means — it is reserved for explicit user invocation.`;
      if (skill !== undefined || SKILLS.includes(name))
        return session.offersSkill(skill?.name ?? name)
          ? undefined
          : `Skill ${name} is not in this session's skills allowlist`;
      const command = commandName(name);
      if (PRINTING_COMMANDS.includes(command))
        return `${name} is a built-in CLI command, not a skill. ${askUser(name)}`;
      if (UI_COMMANDS.includes(command)) return `${name} is a UI command, not a skill. ${askUser(name)}`;
      if (COMMANDS.includes(command)) return undefined;
      const fix = inFull(commands, name) ?? similar(commands, name);
      const lost = lostPlugin(session, name);
      const unknown = `Unknown skill: ${name}${fix === undefined ? '' : `. ${fix}`}`;
      return lost === undefined ? unknown : `${unknown}${fix === undefined ? '.' : ''} ${lost}`;
    },
    async run(input) {
      const name = skillName(text(input, 'skill'));
      const skill = findSkill(commands, name);
      if (skill === undefined)
        throw new ToolFailure(`The stand-in does not have the skill ${name}. Give the call a result in the scenario.`);
      const { allowedTools } = skill;
      addRules(session.turn.rules, allowedTools, 'session', cwd);
      if (skill.forked !== undefined)
        return runForked({ skill, body: expand(session, skill, text(input, 'args')) }, name);
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

function askUser(name: string): string {
  return `Ask the user to run /${name} themselves — it cannot be invoked via the Skill tool.`;
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

/** A plugin that did not load is known by its folder. */
function lostPlugin({ parts }: Session, skill: string): string | undefined {
  // Those that did load have a name.
  const lost = parts.pluginProblems.filter(({ plugin }) => plugin.startsWith('inline['));
  if (lost.length === 0) return undefined;
  const folder = lost.map(({ path = '' }) => basename(path)).find((name) => skill.startsWith(`${name}:`));
  const notHere = 'could not be loaded here, not that the skill is not installed.';
  if (folder !== undefined)
    return `The plugin "${folder}" did not load in this session (load error): tell the user the plugin ${notHere}`;
  const [which, its] = lost.length === 1 ? ['1 plugin', 'it'] : [`${lost.length} plugins`, 'one of them'];
  return `${which} did not load in this session (load error); if this skill belongs to ${its}, tell the user its plugin ${notHere}`;
}

/** The full names of those that are called so within their plugins. */
function inFull(commands: readonly CommandDefinition[], wanted: string): string | undefined {
  const all = commands.map(({ name }) => name).filter((name) => name.split(':').slice(1).at(-1) === wanted);
  const names = [...new Set(all)];
  if (names.length > 1) return `Several skills match that name: ${names.join(', ')} — invoke one by its full name.`;
  return names.length === 0 ? undefined : `Did you mean ${names[0]}? Invoke it by that full name.`;
}

/** The name that differs in two letters at most. */
function similar(commands: readonly CommandDefinition[], name: string): string | undefined {
  const known = [...commands.map((own) => own.name), ...NAMES];
  const near = known.map((word) => ({ word, distance: editDistance(name, word) }));
  const best = near.sort((a, b) => a.distance - b.distance)[0];
  return best !== undefined && best.distance <= 2 ? `Did you mean ${best.word}?` : undefined;
}
