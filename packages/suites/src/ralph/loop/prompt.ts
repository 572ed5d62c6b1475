import type { Hat, LoopConfig } from './config.js';
import type { LoopEvent } from './events.js';
import { routeEvent } from './routing.js';

/** All that a prompt is made of. */
export interface PromptParts {
  config: Pick<LoopConfig, 'core' | 'event_loop' | 'hats' | 'memories'>;
  objective: string;
  /** Notes that the agent left for itself. */
  scratchpad: string;
  /** The memory block, or nothing. */
  memories: string;
  /** The events of this iteration. */
  pending: readonly LoopEvent[];
  /** The hat that handles them; without one the agent coordinates. */
  hat?: Hat | undefined;
}

/** The prompt of one iteration, top to bottom. */
export function buildPrompt(parts: PromptParts): string {
  const { config, hat } = parts;
  const sections = [
    scratchpadSection(parts.scratchpad, config.core.scratchpad),
    parts.memories,
    config.memories.enabled ? MEMORY_COMMANDS : '',
    guardrailSection(config.core.guardrails),
    `## OBJECTIVE\n\n${parts.objective}`,
    pendingSection(parts.pending),
    hat === undefined ? hatsSection(config) : activeHatSection(hat, config.hats),
    eventWritingSection(hat, config.hats),
    hat === undefined ? doneSection(config.event_loop.completion_promise) : '',
  ];
  return `${sections
    .map((section) => section.trim())
    .filter((section) => section !== '')
    .join('\n\n')}\n`;
}

/** How an agent uses memories: without it, it cannot know that there are commands for them. */
const MEMORY_COMMANDS = `## MEMORY COMMANDS

Keep what later runs should know, and look up what earlier ones have learned:

- \`ralph tools memory add "content" -t pattern|decision|fix|context --tags a,b\`
- \`ralph tools memory search "words"\`, \`ralph tools memory list\`
- \`ralph tools memory show ID\`, \`ralph tools memory delete ID\``;

function scratchpadSection(content: string, path: string): string {
  return content.trim() === '' ? '' : `<scratchpad path="${path}">\n${content.trim()}\n</scratchpad>`;
}

function guardrailSection(guardrails: readonly string[]): string {
  const rules = guardrails.map((rule, index) => `${index + 1}. ${rule}`);
  return rules.length === 0 ? '' : `## GUARDRAILS\n\n${rules.join('\n')}`;
}

function pendingSection(pending: readonly LoopEvent[]): string {
  if (pending.length === 0) return '';
  const events = pending.map(({ topic, payload }) => `Event: ${topic}${payload === '' ? '' : ` - ${payload}`}`);
  return `## PENDING EVENTS\n\nHandle these in this iteration:\n\n${events.join('\n')}`;
}

/** The table of hats, for the coordinator. */
function hatsSection({ hats, event_loop }: PromptParts['config']): string {
  if (hats.length === 0) return '';
  const rows = hats.map((hat) => row([hat.name, hat.triggers.join(', '), hat.publishes.join(', '), hat.description]));
  const first = event_loop.starting_event;
  const start = first === undefined ? '' : `Start the work with \`${first}\`.\n\n`;
  const head = `${row(['Hat', 'Triggers On', 'Publishes', 'Description'])}\n|---|---|---|---|`;
  return `## HATS\n\nYou coordinate: delegate by writing an event that triggers a hat.\n\n${start}${head}\n${rows.join('\n')}`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

function activeHatSection(hat: Hat, hats: readonly Hat[]): string {
  const instructions =
    hat.instructions.trim() === '' ? '' : `\n\n### ${hat.name} Instructions\n\n${hat.instructions.trim()}`;
  const receivers = hat.publishes.map(
    (topic) => `- \`${topic}\` goes to ${routeEvent({ topic }, hats)?.name ?? 'Ralph'}`,
  );
  const publishing = receivers.length === 0 ? '' : `\n\n### Publishing\n\n${receivers.join('\n')}`;
  return `## ACTIVE HAT\n\nYou are ${hat.name}.${instructions}${publishing}`;
}

function eventWritingSection(hat: Hat | undefined, hats: readonly Hat[]): string {
  const topics = hat?.publishes ?? hats.flatMap(({ triggers }) => triggers);
  const allowed = topics.length === 0 ? '' : `\n\nTopics: ${topics.map((topic) => `\`${topic}\``).join(', ')}`;
  return `## EVENT WRITING\n\nWrite an event as \`<event topic="topic">payload</event>\`, or run \`ralph emit topic payload\`.${allowed}`;
}

function doneSection(promise: string): string {
  return `## DONE\n\nWhen the whole objective is met, and only then, end with this line alone:\n\n${promise}`;
}
