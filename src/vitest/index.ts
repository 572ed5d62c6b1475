import { Conversation } from '@understudy/stage';
import { withReadableErrors } from '../testing/readable-error.js';
import { registerMatchers } from './matchers.js';

registerMatchers();
withReadableErrors(Conversation, ['start']);
withReadableErrors(Conversation.prototype, ['send', 'cancel', 'control', 'end']);

export type { ConversationOptions, Turn } from '@understudy/stage';
export { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
export type { RehearsalOptions } from '../testing/options.js';
export type { ProgramExpectation, TurnExpectation } from '../testing/read-expectation.js';
export { type ProgramResult, type RunProgramOptions, runProgram } from '../testing/run-program.js';
export type { TestHarness } from '../testing/test-harness.js';
export type { TestPlugin } from '../testing/test-plugin.js';
export type { TestProject } from '../testing/test-project.js';
export { type RehearsalFixtures, test, test as it } from './fixtures.js';
export type { UnderstudyMatchers } from './matcher-types.js';
export { Conversation };
