import { expect, it, onTestFinished, type TestContext } from 'vitest';
import { toScenario } from '../../packages/script/src/load.js';
import type { Failure } from '../../packages/script/src/schema.js';
import { startModelServer } from '../../src/public/model-server.js';
import { scriptedCli } from '../helpers/scripted-cli.js';
import { sample, seedOr } from '../helpers/seeded.js';

async function play(document: unknown, context: TestContext, retries: number) {
  const server = await startModelServer({ scenario: toScenario({ value: document }) });
  onTestFinished(() => server.close());
  const cli = await scriptedCli('claude', server, context, { retries });
  const run = await cli.run('do it', { env: { API_TIMEOUT_MS: '3000' } });
  const line = run.stdout.split('\n').find((text) => text.startsWith('{')) ?? '{}';
  const result = JSON.parse(line) as { is_error?: boolean; api_error_status?: number | null; result?: string };
  return { run, result, requests: server.journal.entries().map((entry) => `${entry.kind} ${entry.status}`) };
}

const rule = (failure: Failure) => ({ responses: [{ pattern: { type: 'any' }, response: 'All is well.', failure }] });

/** What a user of Claude Code sees of each; docs/model-server.md has the same as a table. */
const faults: [what: string, failure: Failure, status: number | null, shown: RegExp][] = [
  ['no network', { type: 'network_unreachable' }, null, /Connection dropped \(ECONNRESET\)/],
  ['silence', { type: 'connection_timeout', after_ms: 20_000 }, null, /Request timed out/],
  ['a reset before the first word', { type: 'connection_reset' }, null, /Connection dropped \(ECONNRESET\)/],
  [
    'a reset in the middle',
    { type: 'connection_reset', partial_text: 'I was about' },
    null,
    /Connection dropped \(ECONNRESET\)/,
  ],
  ['a stall', { type: 'stall', after_ms: 300, partial_text: 'Let me' }, null, /Connection dropped \(ECONNRESET\)/],
  ['401', { type: 'auth_error', message: 'key revoked' }, 401, /Failed to authenticate.*401 key revoked/],
  ['403', { type: 'forbidden' }, 403, /403 Your API key does not have permission/],
  ['404', { type: 'model_not_found' }, 404, /issue with the selected model/],
  ['429', { type: 'rate_limit', message: 'slow down' }, 429, /Request rejected \(429\).*slow down/],
  ['no credit', { type: 'out_of_credits' }, 400, /Credit balance is too low/],
  ['a context that is too long', { type: 'context_length' }, 400, /Prompt is too long/],
  ['500', { type: 'server_error' }, 500, /500 Internal server error/],
  ['529', { type: 'overloaded' }, 529, /529 Overloaded/],
  [
    'a truncated stream',
    { type: 'partial_response', partial_text: 'This ends in the mid' },
    null,
    /Connection lost mid-response/,
  ],
  ['malformed JSON', { type: 'malformed_json', raw: '{"type": "content_bl' }, null, /JSON Parse error/],
  ['HTML with 200', { type: 'html_response' }, null, /empty or malformed response \(HTTP 200\).*HTML page/s],
];

// Recordings hold all of them against the stand-in in every run; the real CLI plays a quarter of them by seed, all in a long run.
const SEED = seedOr(1);
for (const [what, failure, status, shown] of sample(faults, faults.length / 4, SEED)) {
  it(`Claude Code shows its user ${what}`, async (context) => {
    const { run, result, requests } = await play(rule(failure), context, 0);
    expect(result.result, run.stderr).toMatch(shown);
    expect(result).toMatchObject({ is_error: true, api_error_status: status });
    expect(run.code).toBe(1);
    expect(requests.every((request) => request.startsWith('failure'))).toBe(true);
  });
}

it('Claude Code shows its user a refused connection', async (context) => {
  const { run, result } = await play(rule({ type: 'connection_refused', for_ms: 4000 }), context, 1);
  expect(result.result, run.stderr).toMatch(/Connection refused.*ECONNREFUSED/);
  expect(run.code).toBe(1);
});

it('Claude Code connects again once the port is open', async (context) => {
  const { result, requests } = await play(rule({ type: 'connection_refused', for_ms: 200, times: 1 }), context, 3);
  expect(result.result).toBe('All is well.');
  expect(requests).toEqual(['failure 0', 'answer 200']);
});

const passing = [
  { type: 'overloaded', times: 2 },
  { type: 'rate_limit', retry_after: 1, times: 1 },
  { type: 'server_error', times: 1 },
  { type: 'partial_response', partial_text: 'This ends in the mid', times: 1 },
  { type: 'malformed_json', raw: '{"type":', times: 1 },
  { type: 'connection_reset', partial_text: 'I was', times: 1 },
] satisfies Failure[];
for (const failure of sample(passing, passing.length / 4, SEED)) {
  it(`Claude Code gets over ${failure.times} × ${failure.type} and says the answer, which is matched once`, async (context) => {
    const { run, result, requests } = await play(rule(failure), context, 3);
    expect(result).toMatchObject({ is_error: false, result: 'All is well.' });
    expect(requests).toEqual([...Array(failure.times).fill(expect.stringMatching(/^failure/)), 'answer 200']);
    if (failure.type === 'rate_limit') expect(run.milliseconds).toBeGreaterThan(1000);
  });
}

it('strikes the n-th request of a conversation, whatever answers it', async (context) => {
  const document = {
    responses: [
      {
        pattern: { type: 'any' },
        response: { text: 'Done.', tool_calls: [{ tool: 'shell', input: { command: 'true' } }] },
      },
    ],
    faults: [{ request: 2, failure: { type: 'overloaded' } }],
  };
  const { result, requests } = await play(document, context, 2);
  expect(result.result).toBe('Done.');
  expect(requests).toEqual(['answer 200', 'failure 529', 'answer 200']);
});

it('speaks as slowly as it is told', async (context) => {
  const text = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen';
  const slow = {
    responses: [{ pattern: { type: 'any' }, response: { text, pace: { first_token_ms: 500, tokens_per_second: 10 } } }],
  };
  const { run, result } = await play(slow, context, 0);
  expect(result.result).toBe(text);
  // 20 tokens: the first piece after 500 ms, the rest at ten a second.
  expect(run.milliseconds).toBeGreaterThan(1300);
});
