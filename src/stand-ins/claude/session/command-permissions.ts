import { resolveModel } from '../../../claude-code/models.js';
import type { CommandDefinition } from '../../../claude-code/slash-commands.js';
import type { JsonObject } from '../../../document/json.js';

/** What the transcript says of a command that was called: what it may do unasked, and the model that it wants. */
export function commandPermissions({
  allowedTools,
  model,
}: Pick<CommandDefinition, 'allowedTools' | 'model'>): JsonObject {
  return { type: 'command_permissions', allowedTools, ...wantedModel(model) };
}

export function wantedModel(model: string | undefined): { model?: string } {
  return model === undefined ? {} : { model: resolveModel(model) };
}
