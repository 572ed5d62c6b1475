import type { CliTool } from '../shared/translate-call.js';

/** Kiro's tools and its words for what every agent can do. */
export const kiroTools: readonly CliTool[] = [
  { name: 'shell', generic: 'shell' },
  { name: 'read', generic: 'read' },
  { name: 'write', generic: 'write' },
  { name: 'edit', generic: 'edit' },
  { name: 'glob', generic: 'glob' },
  { name: 'grep', generic: 'grep' },
];

/** The tools that need nobody's leave. */
const TRUSTED_BY_DEFAULT = ['read', 'glob', 'grep'];

/** What may run without being asked for: everything, or what was named and what only looks. */
export function isTrusted(tool: string, trustAll: boolean, trusted: readonly string[]): boolean {
  return trustAll || TRUSTED_BY_DEFAULT.includes(tool) || trusted.includes(tool);
}
