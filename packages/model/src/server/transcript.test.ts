import { agents, REPEAT_REQUEST, RESUME_REQUEST } from '@understudy/agents';
import { describe, expect, it } from 'vitest';
import type { Client } from './clients/client.js';
import { library } from './clients/library.js';
import { readTranscript } from './transcript.js';
import type { TranscriptEntry } from './wire/protocol.js';

const claudeCode = agents.claude.client;
const codex = agents.codex.client;
const geminiCli = agents.gemini.client;
const opencode = agents.opencode.client;

const user = (...texts: string[]): TranscriptEntry => ({ kind: 'user', texts, results: [] });
const result = (id: string, text = '', ...beside: string[]): TranscriptEntry => ({
  kind: 'user',
  texts: beside,
  results: [{ id, text, isError: false }],
});
const assistant: TranscriptEntry = { kind: 'assistant' };
const system = (text: string): TranscriptEntry => ({ kind: 'system', text });

function read(client: Client, ...entries: TranscriptEntry[]) {
  return readTranscript(
    { model: 'm', stream: false, entries, instructions: ['Be kind.'], tools: [], toolless: true },
    client,
  );
}

const REMINDER = '<system-reminder>\nToday is a good day.\n</system-reminder>\n';

describe('Claude Code', () => {
  it.each([RESUME_REQUEST, REPEAT_REQUEST])(
    'asks again for an answer: the same point of the conversation, a prompt or tool results',
    (request) => {
      const resume = user(request);
      const prompt = read(claudeCode, user('fix it'));
      expect(read(claudeCode, user('fix it'), assistant, resume)).toMatchObject({
        prompt: { text: 'fix it' },
        key: prompt.key,
      });
      expect(read(claudeCode, user('fix it'), assistant, resume, assistant, resume).key).toBe(prompt.key);
      const results = read(claudeCode, user('fix it'), assistant, result('t1', 'ok'));
      const again = read(claudeCode, user('fix it'), assistant, result('t1', 'ok'), assistant, resume);
      expect(again).toMatchObject({ results: [{ id: 't1' }], key: results.key, previousKey: results.previousKey });
    },
  );

  it('leaves out reminders, before the prompt and inside it', () => {
    expect(read(claudeCode, user(REMINDER, 'fix it'), system('# Environment')).prompt).toEqual({ text: 'fix it' });
    expect(read(claudeCode, user(`${REMINDER}fix it${REMINDER}`)).prompt).toEqual({ text: 'fix it' });
  });

  it('reads a slash command and what it expands to', () => {
    const tags =
      '<command-message>p:explore</command-message>\n<command-name>/p:explore</command-name>\n<command-args>the db</command-args>\n';
    const command = { name: 'p:explore', args: 'the db' };
    expect(read(claudeCode, user(REMINDER, tags, 'Investigate the db\n')).prompt).toEqual({
      text: 'Investigate the db',
      command,
    });
    expect(read(claudeCode, user(`${tags}Investigate the db`)).prompt).toEqual({ text: 'Investigate the db', command });
    expect(read(claudeCode, user(tags)).prompt).toEqual({ text: '/p:explore the db', command });
  });

  it('takes the last of messages that stand together because a turn failed', () => {
    expect(read(claudeCode, user('first\n', 'second', 'in two parts')).prompt).toEqual({
      text: 'second\nin two parts',
    });
  });

  it('does not take the output of a local command for a prompt, nor the command for the next one', () => {
    const local =
      '<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args></command-args>\n';
    const caveat = '<local-command-caveat>…</local-command-caveat>\n';
    const output = '<local-command-stdout>Compacted</local-command-stdout>\n';
    expect(read(claudeCode, user(caveat, local, output, 'go on')).prompt).toEqual({ text: 'go on' });
    expect(read(claudeCode, user(local, '## Context Usage\n', 'go on')).prompt).toEqual({ text: 'go on' });
  });

  it('does not take the text of a skill for a prompt, nor notes about an image', () => {
    const skill = (...beside: string[]) =>
      read(claudeCode, user('go'), assistant, result('1', 'Launching skill: p:greet', ...beside)).prompt;
    expect(skill('The body of a skill')).toBeUndefined();
    expect(skill('(Re-invocation of /greet — …)\n', 'The body of a skill\n', REMINDER)).toBeUndefined();
    expect(skill('The body of a skill\n', 'and now this')).toEqual({ text: 'and now this' });
    const image = result('1', '', '[Image: original 4000x4000, displayed at 2000x2000.]');
    expect(read(claudeCode, user('go'), assistant, image).prompt).toBeUndefined();
  });

  it('finds the prompt that stands in one entry with the results of a turn that stopped', () => {
    const stopped = [user('go'), assistant, result('1', 'ok', 'now do that'), system('PostToolBatch hook stopped')];
    expect(read(claudeCode, ...stopped)).toMatchObject({ prompt: { text: 'now do that' }, results: [{ id: '1' }] });
    const interrupted = result('1', 'ok', '[Request interrupted by user for tool use]\n', 'rather do that');
    expect(read(claudeCode, user('go'), assistant, interrupted).prompt).toEqual({ text: 'rather do that' });
  });
});

describe('what hooks told beside tool results', () => {
  const block = 'PostToolUse:Bash hook blocking error from command: "lint": mend it';

  it('is read from the notes of Claude Code, old and new, and nothing else is', () => {
    const old = result('1', 'ok', `<system-reminder>\n${block}\n</system-reminder>\n`, REMINDER);
    expect(read(claudeCode, user('go'), assistant, old).feedback).toBe(block);
    const now = [user('go'), system('# Environment'), assistant, result('1', 'ok'), system(`Note.\n\n${block}`)];
    expect(read(claudeCode, ...now).feedback).toBe(block);
    expect(read(claudeCode, ...now, assistant, result('2', 'ok')).feedback).toBe('');
    expect(read(library, ...now).feedback).toBe('');
  });
});

it('takes what a Stop hook adds to the context for a prompt, because the turn goes on with it', () => {
  const note = 'Stop hook additional context: run the tests';
  const told = user(`<system-reminder>\n${note}\n</system-reminder>`);
  expect(read(claudeCode, user('go'), assistant, told).prompt).toEqual({ text: note });
  const other = user('<system-reminder>\nSessionStart hook additional context: x\n</system-reminder>');
  expect(read(claudeCode, user('go'), assistant, other).prompt).toBeUndefined();
});

describe('the others', () => {
  it('OpenCode: takes off the quotes that its command line puts on', () => {
    expect(read(opencode, user('"two words"')).prompt).toEqual({ text: 'two words' });
    expect(read(opencode, user('"say \\"hi\\" now"')).prompt).toEqual({ text: 'say "hi" now' });
    expect(read(opencode, user('say "a" and "b"')).prompt).toEqual({ text: 'say "a" and "b"' });
    expect(read(opencode, user('"a" or "b"')).prompt).toEqual({ text: '"a" or "b"' });
  });

  it('Codex: skips the environment, and reads a failure from the exit code', () => {
    const entries = [
      user('<environment_context>\n<cwd>/w</cwd></environment_context>'),
      user('# AGENTS.md instructions for /w'),
      user('do it'),
    ];
    expect(read(codex, ...entries).prompt).toEqual({ text: 'do it' });
    const failed = read(codex, ...entries, assistant, result('1', 'Wall time: 0\nProcess exited with code 3\nOutput:'));
    expect(failed.results).toMatchObject([{ id: '1', isError: true }]);
  });

  it('Gemini CLI: skips the session context', () => {
    expect(read(geminiCli, user('<session_context>…</session_context>', 'do it')).prompt).toEqual({ text: 'do it' });
  });

  it('a library: the user said what the user said', () => {
    expect(read(library, user(REMINDER)).prompt).toEqual({ text: REMINDER.trim() });
    expect(read(library, user('a'), assistant, result('1'), user('b')).prompt).toEqual({ text: 'b' });
    expect(read(library, user('a'), assistant, result('1', '', 'b')).prompt).toBeUndefined();
  });
});

describe('keys', () => {
  it('are the same for a retry, whatever the CLI changes around the conversation', () => {
    const once = read(claudeCode, user(REMINDER, 'go'), system('a'));
    const again = read(claudeCode, user('<system-reminder>other</system-reminder>', 'go'), system('b'));
    expect(again.key).toBe(once.key);
    expect(read(claudeCode, user('stop')).key).not.toBe(once.key);
  });

  it('lead from one turn to the next', () => {
    const first = read(library, user('one'));
    const second = read(library, user('one'), assistant, result('t1'));
    const third = read(library, user('one'), assistant, result('t1'), assistant, user('two'.repeat(200)));
    expect(first.previousKey).toBeUndefined();
    expect(second.previousKey).toBe(first.key);
    expect(third.previousKey).toBe(second.key);
    expect(third.key.length).toBeLessThan(100);
  });

  it('the system prompt is all that the model is told', () => {
    expect(read(library, system('Also be quick.'), user('go')).system).toBe('Be kind.\nAlso be quick.');
  });
});
