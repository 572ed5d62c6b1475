import { agents } from '@understudy/agents';
import { expect, it } from 'vitest';
import { recognizeAuxiliary } from './auxiliary.js';
import type { Client, Identity } from './clients/client.js';
import { library } from './clients/library.js';
import { readTranscript } from './transcript.js';
import type { TranscriptEntry, WireRequest } from './wire/protocol.js';

const claudeCode = agents.claude.client;
const codex = agents.codex.client;
const geminiCli = agents.gemini.client;
const opencode = agents.opencode.client;

const user = (...texts: string[]): TranscriptEntry => ({ kind: 'user', texts, results: [] });

function recognize(client: Client, request: Partial<WireRequest>, identity: Identity = {}) {
  const whole: WireRequest = {
    model: 'm',
    stream: true,
    entries: [],
    instructions: [],
    tools: [],
    toolless: true,
    ...request,
  };
  return recognizeAuxiliary({ request: whole, transcript: readTranscript(whole, client), client, identity });
}

const title = { type: 'object', properties: { title: { type: 'string' } } };

it('knows requests for a title, with a schema and without', () => {
  const instructions = ['You are naming a coding session so that its user finds it'];
  const asked = {
    entries: [user('<session>\nplease fix the login page of the shop\n</session>')],
    instructions,
    answerSchema: title,
  };
  expect(recognize(claudeCode, asked)).toEqual({ kind: 'title', text: '{"title":"please fix the login page of"}' });
  const opencodeTitle = {
    entries: [
      { kind: 'system', text: 'You are a title generator.' } as TranscriptEntry,
      user('Generate a title:'),
      user('fix it'),
    ],
  };
  expect(recognize(opencode, opencodeTitle)).toEqual({ kind: 'title', text: 'fix it' });
});

it('says nothing where Claude Code asks in the name of the user, and answers the user who says the like', () => {
  const asked = (...words: string[]) => ({
    toolless: false,
    entries: [user('go on'), { kind: 'assistant' } as const, user(...words)],
  });
  expect(recognize(claudeCode, asked('[SUGGESTION MODE: Suggest what comes next.]\n\nOr nothing.'))).toEqual({
    kind: 'suggestion',
  });
  const progress = 'Describe your most recent action in 3-5 words using present tense (-ing). Do not use tools.';
  expect(recognize(claudeCode, asked(progress))).toEqual({ kind: 'progress' });
  expect(recognize(claudeCode, asked('What is [SUGGESTION MODE: x]?'))).toBeUndefined();
  expect(recognize(library, asked('[SUGGESTION MODE: x]'))).toBeUndefined();
});

it('answers other questions by their schema', () => {
  const answerSchema = {
    type: 'OBJECT',
    properties: {
      reasoning: { type: 'STRING' },
      score: { type: 'INTEGER' },
      next: { enum: ['user', 'model'] },
      ok: { type: 'boolean' },
      list: { type: 'array' },
    },
  };
  const auxiliary = recognize(geminiCli, { entries: [user('hi')], answerSchema });
  expect(auxiliary?.kind).toBe('structured');
  expect(JSON.parse(auxiliary?.text ?? '')).toEqual({ reasoning: 'hi', score: 1, next: 'user', ok: true, list: [] });
});

it('knows warm-ups, compaction, errands and notifications', () => {
  expect(recognize(claudeCode, { entries: [user('quota')], maxTokens: 1 })?.kind).toBe('warm-up');
  const compact =
    'CRITICAL: Respond with TEXT ONLY.\nYour task is to create a detailed summary of the conversation so far';
  const summary = recognize(claudeCode, { entries: [user('one\n', compact)], toolless: false });
  expect(summary?.kind).toBe('compaction');
  expect(summary?.text).toContain('<summary>');
  expect(recognize(codex, { entries: [user('x')], toolless: false }, { errand: 'compact' })?.kind).toBe('errand');
  const told = user('<system-reminder>\n[SYSTEM NOTIFICATION - NOT USER INPUT]\n</system-reminder>');
  expect(recognize(claudeCode, { entries: [user('go'), { kind: 'assistant' }, told], toolless: false })?.kind).toBe(
    'notification',
  );
  expect(
    recognize(codex, { entries: [user('<subagent_notification>done</subagent_notification>')], toolless: false })?.kind,
  ).toBe('notification');
});

it('takes everything else for a prompt', () => {
  expect(recognize(claudeCode, { entries: [user('generate a title for my book')], toolless: false })).toBeUndefined();
  expect(recognize(claudeCode, { entries: [user('write a title')] })).toBeUndefined();
  expect(recognize(claudeCode, { entries: [user('go')], toolless: false, maxTokens: 1 })).toBeUndefined();
});

it('takes all that a program asks through a library for meant', () => {
  expect(
    recognize(library, {
      entries: [user('x')],
      answerSchema: title,
      maxTokens: 1,
      instructions: ['You are a title generator'],
    }),
  ).toBeUndefined();
});

it('knows the summary that Gemini CLI wants of an earlier session, and a user who asks for one', () => {
  const text =
    "Summarize the user's primary intent or goal in this conversation in ONE sentence (max 80 characters).\n\nConversation:\nUser: fix it";
  expect(recognize(geminiCli, { entries: [user(text)] })).toEqual({ kind: 'title', text: 'Scripted session' });
  expect(recognize(geminiCli, { entries: [user(text)], toolless: false })).toBeUndefined();
});
