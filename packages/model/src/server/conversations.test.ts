import { defineScenario, Script } from '@understudy/script';
import { expect, it } from 'vitest';
import { library } from './clients/library.js';
import { conversationOf, ModelConversations, type Question } from './conversations.js';
import { readTranscript } from './transcript.js';
import type { TranscriptEntry, WireRequest } from './wire/protocol.js';

function question(texts: string[], session?: string): Question {
  const entries = texts.flatMap((text, index): TranscriptEntry[] => [
    ...(index === 0 ? [] : [{ kind: 'assistant' } as const]),
    { kind: 'user', texts: [text], results: [] },
  ]);
  const request: WireRequest = { model: 'm', stream: false, entries, instructions: [], tools: [], toolless: true };
  return { client: library, identity: { session }, request, transcript: readTranscript(request, library) };
}

it('forgets the conversations that were not heard of for longest', () => {
  const conversations = new ModelConversations(new Script(defineScenario({ default_response: 'ok' })));
  const first = conversations.find(question(['hello'], 'first'));
  const lasting = conversations.find(question(['hello'], 'lasting'));
  for (let index = 0; index < 1500; index++) {
    conversations.find(question([`hello ${index}`], String(index)));
    expect(conversations.find(question(['hello'], 'lasting'))).toBe(lasting);
  }
  expect(conversations.all()).toHaveLength(1000);
  expect(conversations.find(question(['hello'], 'first'))).not.toBe(first);
  expect(new Set(conversations.all().map((conversation) => conversation.id)).size).toBe(1000);
});

it('gives one of two like conversations to each that goes on', () => {
  const conversations = new ModelConversations(new Script(defineScenario({ default_response: 'ok' })));
  const answered = (...texts: string[]) => {
    const asked = question(texts);
    const conversation = conversations.find(asked);
    conversation.answerPrompt(asked.transcript.key, { text: texts.at(-1) ?? '' }).state = 'delivered';
    return conversation;
  };
  const begun = [answered('a'), answered('a')];
  const went = [answered('a', 'b'), answered('a', 'b')];
  expect(new Set(went)).toEqual(new Set(begun));
  expect(begun).not.toContain(answered('a', 'b'));
});

it('reads the conversation from the ids of answers and calls', () => {
  expect(conversationOf('toolu_0a1b2c3d_2_5_0')).toBe('0a1b2c3d_2');
  expect(conversationOf('0a1b2c3d_2_5')).toBe('0a1b2c3d_2');
  expect(conversationOf('call_from_elsewhere')).toBe('');
});
