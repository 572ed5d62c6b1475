import type { CliTool } from '../shared/translate-call.js';

/** Kiro's tools, with its names of the generic ones. */
export const kiroTools: readonly CliTool[] = [
  { name: 'shell', generic: 'shell' },
  { name: 'read', generic: 'read' },
  { name: 'write', generic: 'write' },
  { name: 'edit', generic: 'edit' },
  { name: 'glob', generic: 'glob' },
  { name: 'grep', generic: 'grep' },
];

/** The tools that need no permission. */
const TRUSTED_BY_DEFAULT = ['read', 'glob', 'grep'];

/** Whether a tool may run without a question: all with `--trust-all-tools`, else the named and the read-only ones. */
export function isTrusted(tool: string, trustAll: boolean, trusted: readonly string[]): boolean {
  return trustAll || TRUSTED_BY_DEFAULT.includes(tool) || trusted.includes(tool);
}
