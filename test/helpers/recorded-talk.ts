import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import type { ConversationOptions } from '../../packages/stage/src/conversation/options.js';

/** A project with `app.py`; its folder and the cassettes beside it go when the test ends. */
export function projectToTalkAbout(): string {
  const scratch = createScratch('cassette');
  onTestFinished(() => scratch.remove());
  const folder = join(scratch.path, 'project');
  mkdirSync(folder);
  writeFileSync(join(folder, 'app.py'), 'print("hello")\n');
  return folder;
}

/** One conversation with these prompts, from its start to its end. */
export async function talk(options: ConversationOptions, prompts: readonly string[]): Promise<Conversation> {
  const conversation = await Conversation.start(options);
  try {
    for (const prompt of prompts) await conversation.send(prompt);
  } finally {
    await conversation.end();
  }
  return conversation;
}
