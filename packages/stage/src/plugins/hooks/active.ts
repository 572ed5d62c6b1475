import { inWords } from '@understudy/kit';
import type { Conversation } from '../../conversation/conversation.js';
import { hooksListingSchema, type LoadedHook } from '../loaded/answers.js';

/** The hooks that are active in a conversation, by the CLI's own listing. */
export async function activeHooks(conversation: Pick<Conversation, 'control'>): Promise<LoadedHook[]> {
  return hooksListingSchema.parse(await conversation.control('get_hooks_listing'), inWords).hooks;
}
