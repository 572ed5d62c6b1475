import { ASKING_TOOLS, type Decision, isAboutTool, type PermissionUpdate } from '@understudy/agents';
import { defined, type JsonObject } from '@understudy/kit';
import type { Session } from '../session/session.js';
import type { RequestedTool } from './requested-tool.js';

/** What a host is asked about a tool; `input` has full paths. */
export function hostQuestion(
  session: Session,
  { name, id, input: given }: RequestedTool,
  input: JsonObject,
  decision: Decision,
  suggestions: PermissionUpdate[] | undefined,
): JsonObject {
  const { description, command, file_path: file, url } = given;
  if (ASKING_TOOLS.has(name))
    return { tool_name: name, display_name: name, input, tool_use_id: id, requires_user_interaction: true };
  return {
    tool_name: name,
    display_name: name,
    input,
    description: String(description ?? command ?? file ?? url ?? ''),
    ...defined({ permission_suggestions: suggestions }),
    ...questionReason(session, name, decision),
    tool_use_id: id,
  };
}

/** The reason of the question. */
function questionReason({ parts }: Session, tool: string, { path, reason, reasonType }: Decision): JsonObject {
  const isRule = reasonType === 'rule';
  const rule = isRule ? parts.rules.ask.find((one) => isAboutTool(one, tool)) : undefined;
  return {
    ...(tool === 'Bash' ? defined({ blocked_path: path }) : {}),
    ...defined({ decision_reason: reason, decision_reason_type: reasonType }),
    ...defined({ decision_reason_rule_source: rule?.source }),
  };
}
