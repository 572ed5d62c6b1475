import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, parseJson, readIfThere } from '../../../document/json.js';
import type { LiveTool } from './live-tool.js';

/** The list is kept where older versions of the CLI kept it: one file for a session. */
export const todoWrite: LiveTool = {
  parameters: { todos: { type: 'array', required: true } },

  async run(input, { configDir, sessionId }) {
    const folder = join(configDir, 'todos');
    const file = join(folder, `${sessionId}-agent-${sessionId}.json`);
    const oldTodos = parseJson(readIfThere(file) ?? '[]') ?? [];
    const newTodos = input['todos'] as JsonObject[];
    const areDone = newTodos.every(({ status }) => status === 'completed');
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `${JSON.stringify(areDone ? [] : newTodos, null, 2)}\n`);
    return {
      content:
        'Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. ' +
        'Please proceed with the current tasks if applicable',
      useResult: { oldTodos, newTodos },
    };
  },
};
