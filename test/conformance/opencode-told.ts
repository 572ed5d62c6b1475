import { readFileSync } from 'node:fs';
import type { ModelRequest } from './openai-model.js';
import type { OpenCodeRun } from './opencode-run.js';

type Told = NonNullable<OpenCodeRun['told']>;

/** OpenCode's own prompt is long; one of an agent in a test is not. */
const OWN_PROMPT = 500;

/** What the last request told the model. Of the system prompt only what users and projects say is kept. */
export function toldByRequests(requests: readonly ModelRequest[]): Told {
  const { messages = [], tools = [] } = requests.at(-1) ?? {};
  const texts = messages.map(({ role, content = '' }) => ({
    role,
    texts: typeof content === 'string' ? [content] : content.map(({ text = '' }) => text),
  }));
  const system = texts.filter(({ role }) => role === 'system').flatMap((one) => one.texts);
  return {
    system: ownPart(system.join('\n')),
    messages: texts
      .filter(({ role }) => role === 'user' || role === 'tool')
      .flatMap((one) => one.texts)
      .filter((text) => !text.startsWith('<system-reminder>')),
    tools: tools.map((tool) => tool.function.name),
  };
}

function ownPart(system: string): string {
  const [prompt = '', rest = ''] = system.split(/^You are powered by.*$/m);
  const [notes = '', skills = ''] = (rest.split('</env>\n')[1] ?? '').split(/^Skills provide .*$/m);
  const listed = [...skills.matchAll(/^ {2}<skill>\n[\s\S]*?<\/skill>/gm)]
    .map(([skill]) => skill)
    .filter((skill) => !skill.includes('<name>customize-opencode</name>'));
  return [prompt.length > OWN_PROMPT ? '' : prompt.trim(), notes.replace(/\n$/, ''), listed.join('\n')]
    .filter((part) => part !== '')
    .join('\n');
}

export function toldInLog(log: string): Told {
  const [line = '{}'] = readFileSync(log, 'utf8').split('\n');
  const { told: [first] = [] } = JSON.parse(line) as {
    told?: { system: string[]; messages: string[]; tools: string[] }[];
  };
  return { system: first?.system.join('\n') ?? '', messages: first?.messages ?? [], tools: first?.tools ?? [] };
}
