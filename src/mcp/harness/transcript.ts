import type { HeldConversation } from './held-conversation.js';
import { type HistoryEntry, historyOf } from './history.js';

/** A conversation as a page that people and agents read. */
export function transcriptOf(held: HeldConversation): string {
  const { id, agent, stage, project, plugins } = held.facts;
  const head = [
    `# Conversation ${id}`,
    '',
    `${agent} on the stage ${stage}, in ${project}`,
    ...(plugins.length === 0 ? [] : [`plugins: ${plugins.join(', ')}`]),
    ...(held.workflow === undefined ? [] : [`workflow ${held.workflow.workflow}: ${held.workflow.label}`]),
    ...(held.ended === undefined ? [] : [`ended: ${held.ended}`]),
  ];
  const turns = held.events.filter(({ type }) => type === 'prompt').length;
  let turn = 0;
  const lines = historyOf(held.events).flatMap((entry) => {
    const heading = entry.turn === turn ? [] : ['', `## ${titleOf(entry.turn, turns)}`];
    turn = entry.turn;
    return [...heading, '', lineOf(entry)];
  });
  return `${[...head, ...lines].join('\n')}\n`;
}

function titleOf(turn: number, turns: number): string {
  if (turn === 0) return 'Start';
  return turn > turns ? 'End' : `Turn ${turn}`;
}

function lineOf({ role, name, status, text }: HistoryEntry): string {
  const who = [role, name, status].filter((part) => part !== undefined).join(' · ');
  return `**${who}**${text === '' ? '' : `\n\n${text}`}`;
}
