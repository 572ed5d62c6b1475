import { AGENTS } from '../built-in.js';
import {
  EDITING_TOOLS,
  LANGUAGE_TOOL,
  OLDER_TOOLS,
  OTHER_TOOLS,
  READING_TOOLS,
  RESOURCE_TOOLS,
  TOOLS,
  TOOLS_ON_REQUEST,
  TOOLS_WITH_A_HOST,
  toolAliases,
} from '../tools.js';
import { hookEventFacts } from './events.js';

/** What a matcher of an event can meet. */
export interface MatcherSubjects {
  known: readonly string[];
  /** `closed`: there are no others. `open`: plugins, projects or newer releases may bring more. */
  list: 'closed' | 'open';
}

/** Every built-in tool that we know, of this release and of older ones. */
export const KNOWN_TOOLS: readonly string[] = [
  ...new Set(
    [
      ...[TOOLS, TOOLS_ON_REQUEST, TOOLS_WITH_A_HOST, OLDER_TOOLS, OTHER_TOOLS, RESOURCE_TOOLS, [LANGUAGE_TOOL]],
      ...[[...READING_TOOLS], [...EDITING_TOOLS]],
    ]
      .flat()
      .flatMap(toolAliases),
  ),
];

/** The values that we know of fields of which the CLI has no list. */
const OPEN: Record<string, readonly string[]> = {
  notification_type: [
    ...['permission_prompt', 'idle_prompt', 'auth_success', 'elicitation_dialog', 'agent_needs_input'],
    ...['agent_completed', 'elicitation_url_dialog', 'worker_permission_prompt', 'push_notification'],
  ],
  error: [
    ...['authentication_failed', 'oauth_org_not_allowed', 'account_on_hold', 'verification_required'],
    ...['billing_error', 'rate_limit', 'overloaded', 'invalid_request', 'model_not_found', 'server_error', 'unknown'],
    ...['max_output_tokens', 'cloud_credential_error'],
  ],
  agent_type: AGENTS,
};

/** The subjects of an event that are known; nothing where a matcher is not compared with anything. */
export function matcherSubjectsOf(event: string): MatcherSubjects | undefined {
  const { matches, values } = hookEventFacts(event);
  if (matches === undefined) return undefined;
  // Every tool that is not built in comes from an MCP server, and its name says so.
  if (matches === 'tool_name') return { known: KNOWN_TOOLS, list: 'closed' };
  return values === undefined ? { known: OPEN[matches] ?? [], list: 'open' } : { known: values, list: 'closed' };
}
