import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { deniedFile } from '../../../claude-code/permissions/denied.js';
import { rulesOfSettings } from '../../../claude-code/permissions/rules.js';
import { isObject, type JsonObject } from '../../../document/json.js';
import { recordUnsupported } from '../../shared/record-call.js';
import type { Session } from '../session/session.js';
import { tellProgressOf } from '../session/state-events.js';
import { recordDequeue } from '../session/transcript.js';
import { takeTitle } from '../turn/announce-title.js';
import { setModel } from './model-requests.js';

export function renameSession(session: Session, { title }: JsonObject): undefined {
  if (typeof title !== 'string' || title === '') throw new Error('title must be non-empty');
  takeTitle(session, { sessionTitle: title });
}

/** A file for the host, as far as the session may read it. */
export function readFile(session: Session, { path }: JsonObject): JsonObject {
  const asked = String(path);
  const absPath = resolve(session.folder, asked);
  if (deniedFile('Read', { file_path: absPath }, session.permissionContext()) === undefined) {
    try {
      return { contents: readFileSync(absPath, 'utf8'), absPath, lossy: false, requested_path: asked };
    } catch {
      // Whatever the reason, the host is told the same.
    }
  }
  throw new Error(`read denied: ${asked}`);
}

const TAKEN = new Set(['model', 'permissions']);

/** Settings that the host gives while the session runs, as if a flag had given them. */
export async function applySettings(session: Session, { settings }: JsonObject): Promise<undefined> {
  if (!isObject(settings))
    throw new Error(`apply_flag_settings requires \`settings\` to be an object, got ${typeof settings}`);
  const other = Object.keys(settings).find((key) => !TAKEN.has(key));
  if (other !== undefined) {
    recordUnsupported(`apply_flag_settings: ${other}`);
    throw new Error(`the stand-in takes ${[...TAKEN].join(' and ')} of apply_flag_settings, not ${other}`);
  }
  const { model } = settings;
  if (typeof model === 'string') await setModel(session, { model });
  const rules = rulesOfSettings([{ settings, source: 'flagSettings', root: session.folder, origin: { inline: '' } }]);
  for (const list of ['allow', 'deny', 'ask'] as const) session.parts.rules[list].push(...rules[list]);
}

/** Takes back a message that waits for its turn. */
export function cancelMessage(session: Session, { message_uuid: id }: JsonObject): JsonObject {
  const at = session.waiting.findIndex(({ uuid }) => uuid === id);
  if (at === -1) return { cancelled: false };
  const [message] = session.waiting.splice(at, 1);
  recordDequeue(session);
  tellProgressOf(session, message?.uuid, 'cancelled');
  return { cancelled: true };
}

/** Ends something in the background. */
export function stopTask(session: Session, { task_id: id }: JsonObject): JsonObject {
  if (!session.backgroundTasks.some((task) => task['task_id'] === id)) return {};
  recordUnsupported('stop_task of a running task');
  throw new Error('the stand-in cannot stop a running task');
}

/** What the session has cost, as the host may show it. */
export function sessionUsage({ tally, apiMs, linesAdded, linesRemoved }: Session): JsonObject {
  return {
    session: {
      total_cost_usd: tally.cost,
      total_api_duration_ms: apiMs,
      total_duration_ms: Math.round(process.uptime() * 1000),
      total_lines_added: linesAdded,
      total_lines_removed: linesRemoved,
      model_usage: tally.byModel(),
    },
    subscription_type: null,
    rate_limits_available: false,
    rate_limits: null,
    behaviors: null,
  };
}
