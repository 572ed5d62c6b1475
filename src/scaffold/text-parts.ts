import { basename, join } from 'node:path';
import { escapeAngles, TOOLS, TOOLS_OF_THE_SESSION } from '@understudy/agents';
import { defined } from '@understudy/kit';
import type { DeclaredPlugin, DeclaredText } from '@understudy/stage';
import { EXAMPLE_ARGUMENTS, type MarkdownBody, readMarkdownBody } from './markdown-body.js';
import { type Part, ruleFor } from './part.js';

const MAX_DESCRIPTION = 60;

interface NamedText extends MarkdownBody {
  /** The name with its plugin: `agent-loop:explore`. */
  name: string;
  /** The same without the plugin. */
  short: string;
  text: DeclaredText;
}

export function nameText({ root, name: plugin }: DeclaredPlugin, text: DeclaredText): NamedText {
  const [short = basename(text.file, '.md')] = text.names;
  return { name: `${plugin}:${short}`, short, text, ...readMarkdownBody(join(root, text.file)) };
}

/** A command, or a skill that only people can start: what is typed expands to its text. */
export function commandPart({ name, text, takesArguments, line, lineWithArguments }: NamedText): Part {
  const expansion = lineWithArguments ?? line;
  return {
    name: `/${name} expands${lineWithArguments === undefined ? '' : ' with its arguments'}`,
    rules: [{ pattern: { type: 'command', name }, response: `Done with ${name}.` }],
    send: `/${name}${takesArguments ? ` ${EXAMPLE_ARGUMENTS}` : ''}`,
    expect: {
      command: { name, ...defined({ expands_to: expansion }) },
      ...(text.kind === 'skill' ? { skills: [name] } : {}),
    },
  };
}

/** The line of a skill or command that works in a subagent by which its prompt is known; undefined if there is none. */
export function forkedLine({ line, lineWithArguments }: NamedText): string | undefined {
  return lineWithArguments ?? line;
}

/** A command that works in a subagent: that one answers. */
export function forkedCommandPart(text: NamedText): Part {
  const { name, takesArguments } = text;
  const asked = forkedLine(text) ?? '';
  const answer = `Done with ${name}.`;
  return {
    name: `/${name} works in a subagent of its own`,
    rules: [{ pattern: { type: 'contains', text: asked }, response: answer }],
    send: `/${name}${takesArguments ? ` ${EXAMPLE_ARGUMENTS}` : ''}`,
    expect: {
      says: answer,
      command: { name, expands_to: asked },
      ...(text.text.kind === 'skill' ? { skills: [name] } : {}),
    },
    isUnlike: true,
  };
}

/** A skill that the model may call and that works in a subagent: its text reaches the subagent, whose answer comes back. */
export function forkedSkillPart(named: NamedText): Part {
  const { name, short, text, takesArguments } = named;
  const send = `Use the skill ${short}.`;
  const answer = `${short} is done.`;
  const input = { skill: name, ...(takesArguments ? { args: EXAMPLE_ARGUMENTS } : {}) };
  return {
    name: `the skill ${short} is advertised, and works in a subagent of its own`,
    rules: [
      { pattern: { type: 'contains', text: forkedLine(named) ?? '' }, response: answer },
      ruleFor(send, { tool_calls: [{ tool: 'Skill', input }], then: `Done with the skill ${short}.` }),
    ],
    send,
    expect: { skills: [name], told: { system: advertised(name, text), message: answer } },
  };
}

/** A skill that the model may load: it is advertised, loads when it is called, and its text reaches the model. */
export function skillPart({ name, short, text, line }: NamedText): Part {
  const send = `Use the skill ${short}.`;
  return {
    name: `the skill ${short} is advertised, loads, and its text reaches the model`,
    rules: [
      ruleFor(send, { tool_calls: [{ tool: 'Skill', input: { skill: name } }], then: `Done with the skill ${short}.` }),
    ],
    send,
    expect: {
      skills: [name],
      told: { system: advertised(name, text), ...defined({ message: line }) },
    },
  };
}

/** A line of the CLI's own list of skills. Between a name and what it is for, the list may have another name. */
function advertised(name: string, { description = '', names }: DeclaredText): string {
  const [start = ''] = description.trim().split(/\r?\n/);
  const purpose = escapeAngles(start.slice(0, MAX_DESCRIPTION).trim());
  if (purpose === '') return name;
  return names.length > 1 ? purpose : `${name}: ${purpose}`;
}

/** Tools that change something: an agent that names its tools should not have the others. */
const CHANGING_TOOLS = ['Write', 'Edit', 'Bash'];

/** A subagent: it starts, under its own prompt, with its own tools, and its answer comes back. */
export function agentPart({ name, short, text, line, isInBackground, toolsOfMemory = [] }: NamedText): Part {
  const send = `Ask the agent ${short}.`;
  const question = `Are you ready, ${short}?`;
  const answer = `${short} is ready.`;
  const named = text.tools?.map((tool) => tool.replace(/\(.*$/, ''));
  const tools = named?.filter((tool) => TOOLS.includes(tool) && tool !== 'Task' && !TOOLS_OF_THE_SESSION.has(tool));
  const all = [...(named ?? []), ...toolsOfMemory];
  const foreign = named === undefined || all.includes('*') ? [] : CHANGING_TOOLS.filter((tool) => !all.includes(tool));
  return {
    name: `the agent ${short} starts with its own prompt${named === undefined ? '' : ' and tools'}`,
    rules: [
      { pattern: { type: 'contains', text: question }, when: { agent: name }, response: answer },
      ruleFor(send, {
        tool_calls: [
          {
            tool: 'Agent',
            input: {
              description: `Ask ${short}`,
              subagent_type: name,
              prompt: question,
              run_in_background: false,
            },
          },
        ],
        // The call comes back before an agent in the background has said anything.
        then:
          isInBackground === true
            ? 'The agent has begun.'
            : [{ error: false, expect: { type: 'contains', text: answer }, response: `The agent says: ${answer}` }],
      }),
    ],
    send,
    expect: {
      ...(isInBackground === true ? {} : { says: answer }),
      subagents: [name],
      told: {
        agent: name,
        ...defined({ system: line }),
        ...(tools === undefined || tools.length === 0 ? {} : { tools }),
      },
      ...(foreign.length === 0 || tools?.length === 0 ? {} : { told_not: { agent: name, tools: foreign } }),
    },
  };
}
