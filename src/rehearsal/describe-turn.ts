import type { Turn } from '../conversation/turn.js';
import { TEMP_FOLDER } from '../process/scratch.js';

/** Folders that change from run to run. */
export interface KnownFolders {
  cwd: string;
  home: string;
}

/** What happened in a turn, a line for each thing: said, done, changed. */
export function describeTurn({ prompt, events, outcome, reason, workflowStage }: Turn): string {
  const ended = reason === undefined ? outcome : `${outcome} (${reason})`;
  return [
    `> ${prompt}`,
    ...events.flatMap((event): string[] => {
      switch (event.type) {
        case 'text':
          return [event.text];
        case 'tool_call':
          return [`• ${event.tool} ${JSON.stringify(event.input)}`];
        case 'tool_result':
          return [`  → ${event.status}: ${event.text}`];
        case 'permission':
          return [`permission ${event.tool}: ${event.decision}`];
        case 'hook_finished':
          return [`hook ${event.name}${event.blocked ? ' blocked' : ''}`];
        case 'file_changed':
          return [`file ${event.path} ${event.change}`];
        case 'commit':
          return [`commit ${event.message}`];
        default:
          return [];
      }
    }),
    `= ${ended}${workflowStage === undefined ? '' : ` in ${workflowStage}`}`,
  ].join('\n');
}

/** The same text without what changes from run to run: folders, ids, times. */
export function normalize(text: string, { cwd, home }: KnownFolders): string {
  return text
    .replaceAll(cwd, '<project>')
    .replaceAll(home, '<home>')
    .replace(TEMP_FOLDER, '<tmp>')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>')
    .replace(/\b(?:toolu|call|msg)_\w+/g, '<id>')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, '<time>')
    .replace(/\b[0-9a-f]{7,40}\b/g, (match) => (/\d/.test(match) && /[a-f]/.test(match) ? '<hash>' : match))
    .replace(/\b\d+(?:\.\d+)? ?m?s\b/g, '<duration>');
}
