import type { Reportable } from '@understudy/agents';
import { pick } from '@understudy/stage';
import type { Observed } from './observed.js';
import type { CheckResult } from './result.js';

const WHAT: Record<Reportable, string> = {
  tools: 'the tools that it uses',
  hooks: 'its hooks',
  permissions: 'its questions for permission',
  commands: 'its slash commands',
  plugins: 'its plugins',
  mcp_servers: 'its MCP servers',
  subagents: 'its subagents',
  untold_hooks: 'hooks of this event',
};

const RECORD_HOOKS =
  'Start the conversation with `recordHooks: true`; a rehearsal does it where it expects such a hook.';

/** The result of a check, unless the agent does not report what the check looks at: then nobody can judge it. */
export function ifReported({ all }: Observed, what: Reportable, result: CheckResult): CheckResult {
  const session = pick(all, 'session').find(({ reports }) => reports !== undefined);
  if (session?.reports === undefined || session.reports.includes(what)) return result;
  return {
    ...result,
    status: 'unjudged',
    actual: `${session.agent} does not report ${WHAT[what]}`,
    suggestion:
      what === 'untold_hooks'
        ? RECORD_HOOKS
        : 'Check what the agent says, its files or its commits instead, or run this on another agent.',
  };
}
