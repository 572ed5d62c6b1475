import { type AgentDefinition, findSkillOfAgent, readHooks, ShellLineError } from '@understudy/agents';
import { expandInSession } from '../session/run-line.js';
import type { Session } from '../session/session.js';
import type { TranscriptLine } from '../session/transcript.js';

/**
 * Gives the running subagent what its definition promises: its hooks, and the text of its skills behind the prompt. Says
 * why it cannot begin, if a line of a skill cannot be run.
 */
export function equipAgent(session: Session, { skills = [], hooks }: AgentDefinition): string | undefined {
  const { settings, commands, options } = session.parts;
  if (session.subagent !== undefined && settings['disableAllHooks'] !== true)
    session.subagent.hooks = readHooks(hooks, { source: 'userSettings' }).map((hook) =>
      hook.event === 'Stop' ? { ...hook, event: 'SubagentStop' } : hook,
    );
  try {
    for (const name of options.disableSlashCommands ? [] : skills) {
      // Here a slash is part of the name, and so there is none.
      const skill = name.startsWith('/') ? undefined : findSkillOfAgent(commands, name);
      if (skill === undefined || skill.hidden === true) continue;
      const texts = [skillTags(name), expandInSession(session, skill, '')];
      session.atWork.notes.push(...texts);
      session.out.writing.hold([skillLine(session, texts)]);
    }
    return undefined;
  } catch (error) {
    if (error instanceof ShellLineError) return error.message;
    throw error;
  }
}

function skillTags(name: string): string {
  return `<command-message>${name}</command-message>\n<command-name>${name}</command-name>\n<skill-format>true</skill-format>`;
}

function skillLine({ turn: { promptId }, parts }: Session, texts: readonly string[]): TranscriptLine {
  const content = texts.map((text) => ({ type: 'text', text }));
  return {
    promptId,
    type: 'user',
    message: { role: 'user', content },
    isMeta: true,
    timestamp: parts.clock.timestamp(),
  };
}
