import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { HOSTILE } from '../../../../../test/helpers/hostile-text.js';
import { failedRehearsal, oneOfEach, rehearsalRun } from '../../../../../test/helpers/sample-runs.js';
import type { PageDetails, PageOverview } from './page-data.js';
import { htmlPieces } from './write-html.js';

const writeHtml = (...args: Parameters<typeof htmlPieces>) => [...htmlPieces(...args)].join('');

const TEMPLATE = '<body><!--data--></body>';

function unpack<T>(page: string, id: string): T {
  const packed = new RegExp(`id="${id}">([^<]*)<`).exec(page)?.[1] ?? '';
  return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()) as T;
}

it('holds every test as data that nothing in it can leave', () => {
  const words = `${HOSTILE}</script><img src=x onerror=alert(1)>$& \u0000`;
  const page = writeHtml(rehearsalRun(oneOfEach(words)), undefined, TEMPLATE);
  expect(
    page
      .match(/<[^>]*>/g)
      ?.filter((tag) => !/^<\/?(?:body|script type="application\/gzip" id="[a-z0-9-]+"|script)>$/.test(tag)),
  ).toEqual([]);
  const { entries } = unpack<PageOverview>(page, 'overview');
  expect(entries.map(({ status }) => status)).toEqual(oneOfEach().map(({ status }) => status));
  expect(unpack<PageDetails>(page, 'test-0').entry).toEqual(failedRehearsal(words));
});

it('reads the logs of the run, and no file outside its folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'logs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const event = {
    seq: 0,
    at: '2026-01-20T14:30:00Z',
    turn: 0,
    type: 'session',
    agent: 'claude',
    version: '9.9',
    stage: 's',
    cwd: '/',
  };
  for (const place of ['run/logs/a', 'secret']) {
    mkdirSync(join(folder, place), { recursive: true });
    writeFileSync(join(folder, place, 'events.jsonl'), `${JSON.stringify(event)}\nhalf a li`);
  }
  const details = (logs: string) => {
    const page = writeHtml(rehearsalRun([failedRehearsal('x', { logs })]), join(folder, 'run'), TEMPLATE);
    return { ...unpack<PageDetails>(page, 'test-0'), overview: unpack<PageOverview>(page, 'overview') };
  };
  expect(details('logs/a').events).toEqual([event]);
  expect(details('logs/a').overview.entries[0]?.version).toBe('9.9');
  expect(details('../secret').events).toEqual([]);
  expect(details(join(folder, 'secret')).events).toEqual([]);
});

it('cuts long texts, and leaves the events of passed tests out of a page that is too large', () => {
  const page = writeHtml(rehearsalRun([failedRehearsal('x'.repeat(1_000_000))]), undefined, TEMPLATE);
  expect(page.length).toBeLessThan(100_000);
  expect(unpack<PageDetails>(page, 'test-0').entry.steps[0]?.said).toMatch(/more characters]$/);
});
