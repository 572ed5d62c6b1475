import { Conversation } from '../conversation/conversation.js';
import { registerMatchers } from './matchers.js';
import { withReadableErrors } from './readable-error.js';

registerMatchers();
withReadableErrors(Conversation, ['start']);
withReadableErrors(Conversation.prototype, ['send', 'cancel', 'control', 'end']);

export { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
export type { ConversationOptions } from '../conversation/options.js';
export type { Turn } from '../conversation/turn.js';
export { type RehearsalFixtures, test, test as it } from './fixtures.js';
export type { UnderstudyMatchers } from './matcher-types.js';
export type { RehearsalOptions } from './options.js';
export type { TestHarness } from './test-harness.js';
export type { TestPlugin } from './test-plugin.js';
export type { TestProject } from './test-project.js';
export { Conversation };
