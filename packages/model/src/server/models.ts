import type { JsonObject } from '@understudy/kit';
import type { Route } from './router.js';

/** A list of example models. The server accepts every model name. */
export function modelList({ protocol, target }: Route, defaultModel: string | undefined): JsonObject {
  const ids = [...new Set([defaultModel ?? 'understudy', 'claude-opus-5-5', 'gpt-5', 'gemini-2.5-flash'])];
  const wanted = /\/models\/([^/]+)$/.exec(target.path)?.[1];
  const entries = (wanted === undefined ? ids : [wanted]).map((id): JsonObject => {
    if (protocol.name === 'gemini') {
      return { name: `models/${id}`, displayName: id, supportedGenerationMethods: ['generateContent', 'countTokens'] };
    }
    if (protocol.name === 'anthropic-messages')
      return { type: 'model', id, display_name: id, created_at: '2025-01-01T00:00:00Z' };
    return { id, object: 'model', created: 1735689600, owned_by: 'understudy' };
  });
  const [first] = entries;
  if (wanted !== undefined && first !== undefined) return first;
  if (protocol.name === 'gemini') return { models: entries };
  if (protocol.name === 'anthropic-messages')
    return { data: entries, has_more: false, first_id: ids[0], last_id: ids.at(-1) };
  return { object: 'list', data: entries };
}
