import { EFFORTS } from './built-in.js';
import { SESSION_MODES } from './modes.js';
import { anything, flag, list, object, oneOf, optional, record, type Shape, text, wholeNumber } from './shapes.js';

const effort: Shape = (value, path) =>
  Number.isInteger(value) || EFFORTS.includes(String(value))
    ? []
    : [{ path, message: 'Invalid input', isOtherKind: true }];

/** What the pinned Claude Code checks about agents that were handed over as JSON, in its order. */
const AGENTS = record(
  object({
    description: text([(said) => said !== '', 'Description cannot be empty']),
    tools: optional(list(text())),
    disallowedTools: optional(list(text())),
    prompt: text(),
    model: optional(text([(name) => name !== '', 'Model cannot be empty'])),
    effort: optional(effort),
    permissionMode: optional(oneOf(...SESSION_MODES)),
    mcpServers: optional(list(anything)),
    hooks: optional(record(anything)),
    maxTurns: optional(wholeNumber),
    skills: optional(list(text())),
    initialPrompt: optional(text()),
    memory: optional(oneOf('user', 'project', 'local')),
    background: optional(flag),
    isolation: optional(oneOf('worktree', 'remote')),
  }),
);

/** What the real CLI finds wrong with them. */
export function agentProblems(agents: unknown): string[] {
  return AGENTS(agents, '').map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
}
