import { existsSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import type { ConversationEvent } from '@understudy/agents';
import { defined } from '@understudy/kit';
import type { EntryResult } from '../../results/entry-result.js';
import type { EntryLogs, PageProject, PageRequest } from './page-data.js';

const LARGEST = 50 * 1024 * 1024;

/** The event logs of an entry, as far as they are there. Damaged lines are left out: a report shows what there is. */
export function readLogs({ logs }: Pick<EntryResult, 'logs'>, folder: string | undefined): EntryLogs {
  if (logs === undefined || folder === undefined || !isInside(logs)) return { events: [], requests: [] };
  return {
    events: lines(join(folder, logs, 'events.jsonl')).filter(isEvent),
    requests: lines(join(folder, logs, 'requests.jsonl')).filter(isRequest),
    ...defined({ project: lines(join(folder, logs, 'project.json')).find(isProject) }),
  };
}

/** A result may come from elsewhere: it names no files outside its folder. */
function isInside(path: string): boolean {
  return !isAbsolute(path) && !relative('.', path).startsWith('..');
}

function lines(file: string): unknown[] {
  if (!existsSync(file) || statSync(file).size > LARGEST) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as unknown];
      } catch {
        return [];
      }
    });
}

function isEvent(value: unknown): value is ConversationEvent {
  const event = value as Partial<ConversationEvent> | null;
  return typeof event?.type === 'string' && typeof event.at === 'string' && typeof event.turn === 'number';
}

function isRequest(value: unknown): value is PageRequest {
  const request = value as Partial<PageRequest> | null;
  return typeof request?.number === 'number' && typeof request.at === 'string';
}

function isProject(value: unknown): value is PageProject {
  const project = value as Partial<PageProject> | null;
  return (
    typeof project?.more === 'number' &&
    Array.isArray(project.files) &&
    project.files.every((file) => typeof file?.path === 'string')
  );
}
