import { atEnd, concludeRun, writeMarkdown } from '@understudy/verdict';
import { afterEach, expect, it, vi } from 'vitest';
import { sampleCheck, sampleContext, sampleIteration } from '../../../../test/helpers/sample-results.js';
import { type TestPlay, testPlayers } from '../../../../test/helpers/test-entry.js';
import type { Entry } from './entry.js';
import { runEntries } from './run-entries.js';

afterEach(() => vi.unstubAllEnvs());

const SECRET = 'sk-ant-api03-do-not-tell-anybody';
/** Only the name of its variable shows that it is a secret. */
const TOKEN = 'opensesame-opensesame';

function entry(play: TestPlay['play']): Entry {
  return {
    ...{ id: 'a', kind: 'case', name: 'a', tags: [], agent: 'claude', stage: 'sim', round: 1, rerun: 'again' },
    ...{ folderName: 'a', player: 'test', options: { play } },
  };
}

/** The result of one entry, as JSON and as Markdown. */
async function told(play: TestPlay['play']): Promise<string> {
  vi.stubEnv('ANTHROPIC_API_KEY', SECRET);
  vi.stubEnv('MY_TOKEN', TOKEN);
  const run = await runEntries([entry(play)], {
    run: { command: 'run', understudy_version: '0.0.0' },
    players: testPlayers,
    openFolder: () => ({ path: '/nowhere', keep: async () => '/nowhere', remove: async () => {} }),
    reporter: atEnd(() => {}),
    signal: new AbortController().signal,
  });
  const concluded = concludeRun(run);
  return JSON.stringify(concluded) + writeMarkdown(concluded, 'report.md');
}

it('has no secret in a result, not even half of one', async () => {
  const words = `key ${SECRET}. `;
  // A quotation of the output is cut in the middle of the token.
  const long = `${words}${'x'.repeat(100)}${TOKEN}${'y'.repeat(400)}${TOKEN}`;
  const text = await told(async () => ({
    steps: [{ number: 1, send: words, reached: true, said: long, checks: [], duration_ms: 1 }],
    checks: [
      sampleCheck('failed', { name: words, expected: words, actual: long, evidence: [long], suggestion: words }),
    ],
    baselines: [{ condition: words, expected_failure: words, why_it_matters: words, red: false, still_green: [words] }],
    context: sampleContext({
      ...{ config_yaml: words, prompt_content: words, command_line: words, stdout: long, stderr: long },
      events_emitted: [{ topic: words, payload: long, timestamp: 't', source_hat: words }],
      iterations: [sampleIteration({ prompt: words, output: long, stderr: long, command: words })],
      workspace_files: [{ path: words, content_preview: words, size_bytes: 1 }],
    }),
  }));
  expect(text).toContain('[secret]');
  for (const part of ['do-not-tell', 'anybody', 'opensesame']) expect(text).not.toContain(part);
});

it('has no secret in an error', async () => {
  const text = await told(async () => {
    throw new Error(`refused: ${SECRET} and ${TOKEN}`);
  });
  expect(text).toContain('refused: [secret] and [secret]');
});
