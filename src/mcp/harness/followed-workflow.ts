import { UnderstudyError } from '@understudy/kit';
import type { WorkflowProgress } from '@understudy/stage';
import type { HeldConversation } from './held-conversation.js';

/** The workflow of a conversation. A conversation without one has no stages, so that is an error. */
export function followedWorkflow(held: HeldConversation): WorkflowProgress {
  if (held.workflow !== undefined) return held.workflow;
  throw new UnderstudyError('WORKFLOW_MISSING', `the conversation ${held.id} follows no workflow`, {
    fix: 'Name one in the config of start_conversation: agent-loop, epti, visual-iteration, or a file.',
  });
}
