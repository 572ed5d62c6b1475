import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConversationEvent, EventBody } from '@understudy/agents';
import { expect, it, onTestFinished } from 'vitest';
import { HOSTILE, harmfulIn } from '../../../../../test/helpers/hostile-text.js';
import { failedRehearsal, oneOfEach, rehearsalRun } from '../../../../../test/helpers/sample-runs.js';
import { sendTraces } from './send.js';
import { spansOf } from './spans.js';

let seq = 0;
const event = (at: number, body: EventBody): ConversationEvent => ({
  ...{ seq: seq++, at: new Date(1_800_000_000_000 + at).toISOString(), turn: 1 },
  ...body,
});
const events = [
  event(0, { type: 'session', agent: 'claude', version: '1', stage: 'sim', cwd: '/x', model: 'claude-opus-5-5' }),
  event(10, { type: 'prompt', id: 'p', text: 'my secret plan' }),
  event(20, { type: 'hook_started', id: 'h', name: 'PreToolUse:Read', event: 'PreToolUse' }),
  event(30, {
    ...{ type: 'hook_finished', id: 'h', name: 'PreToolUse:Read', event: 'PreToolUse', stdout: '', stderr: '' },
    ...{ exitCode: 1, outcome: 'failed', blocked: false },
  }),
  event(40, { type: 'tool_call', id: 't', tool: 'Read', input: { file_path: 'plan.md' } }),
  event(55, { type: 'tool_result', id: 't', tool: 'Read', text: 'no', status: 'error' }),
  event(100, {
    ...{ type: 'turn_ended', outcome: 'completed', milliseconds: 90, costUsd: 0.5 },
    usage: { inputTokens: 7, outputTokens: 3 },
  }),
];
const entry = failedRehearsal('Glob', { duration_ms: 150, usage: { calls: 1, input_tokens: 7, output_tokens: 3 } });

it('has a span for the test, each turn, tool and hook, by the conventions for generative AI', () => {
  const spans = spansOf(entry, rehearsalRun([entry]), { eventsOf: () => events, withContent: false });
  const told = spans.map(({ name, status, startTimeUnixNano: start, endTimeUnixNano: end }) => [
    ...[name, status.code],
    (Number(BigInt(end) - BigInt(start)) / 1e6).toString(),
  ]);
  expect(told).toEqual([
    ['invoke_agent claude', 2, '150'],
    ['chat claude-opus-5-5', 1, '90'],
    ['execute_tool Read', 2, '15'],
    ['hook PreToolUse:Read', 2, '10'],
  ]);
  const [root, turn] = spans;
  expect(root?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(turn).toMatchObject({ traceId: root?.traceId, parentSpanId: root?.spanId });
  expect(turn?.attributes).toContainEqual({ key: 'gen_ai.usage.input_tokens', value: { intValue: '7' } });
  expect(turn?.attributes).toContainEqual({ key: 'understudy.cost_usd', value: { doubleValue: 0.5 } });
  expect(JSON.stringify(spans)).not.toContain('secret');
  const open = spansOf(entry, rehearsalRun([entry]), { eventsOf: () => events, withContent: true });
  expect(JSON.stringify(open)).toContain('my secret plan');
});

it('shows hostile text as text', () => {
  const spans = oneOfEach(HOSTILE).flatMap((one) =>
    spansOf(one, rehearsalRun([one]), {
      eventsOf: () => [event(0, { type: 'prompt', id: 'p', text: HOSTILE })],
      withContent: true,
    }),
  );
  expect(harmfulIn(JSON.stringify(spans))).toEqual([]);
});

it('sends them to the collector that was named, with its headers, and says when it cannot', async () => {
  const seen: { url?: string | undefined; key?: string | string[] | undefined; spans?: number }[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString()) as { resourceSpans: { scopeSpans: { spans: [] }[] }[] };
    seen.push({
      url: request.url,
      key: request.headers['x-key'],
      spans: body.resourceSpans[0]?.scopeSpans[0]?.spans.length ?? 0,
    });
    response.writeHead(status).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'understudy-otlp-'));
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(join(folder, 'events.jsonl'), events.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = { folder, environment: { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b' } };
  const run = rehearsalRun([{ ...entry, logs: '.' }]);
  await sendTraces(run, endpoint, options);
  expect(seen).toEqual([{ url: '/v1/traces', key: 'a b', spans: 4 }]);
  status = 503;
  await expect(sendTraces(run, endpoint, options)).rejects.toThrow('it answered 503');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await expect(sendTraces(run, endpoint, options)).rejects.toMatchObject({ code: 'TRACES_NOT_SENT' });
});
