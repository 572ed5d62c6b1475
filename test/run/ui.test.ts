import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { optionalProgram } from '../helpers/optional-program.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { type RunningUnderstudy, startUnderstudy } from '../helpers/running-understudy.js';
import { runUnderstudy } from '../helpers/understudy.js';

const program = optionalProgram('chromium', 'the tests of `understudy ui` in a browser');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-ui-')));
let running: RunningUnderstudy;
let address = '';

/** The second turn waits for a file that only the test writes: until then it is under way. */
const SLOW = `name = "slow"
[[responses]]
pattern = { type = "contains", text = "first" }
response = "The first answer."
[[responses]]
pattern = { type = "contains", text = "second" }
response = { text = "The second answer.", tool_calls = [ { tool = "Bash", input = { command = "until [ -e ${folder}/go ]; do sleep 0.1; done" } } ] }
[[steps]]
send = "first"
[[steps]]
send = "second"
[steps.expect]
says = "second"
`;

beforeAll(async () => {
  writeFiles(folder, {
    'tests/good.rehearsal.toml': greeting({ name: 'good' }),
    'tests/bad.rehearsal.toml': greeting({ name: 'bad', expects: 'nothing of the kind' }),
    'tests/slow.rehearsal.toml': SLOW,
  });
  running = startUnderstudy(['ui', 'tests', '--stage', 'sim', '--no-open'], { cwd: folder });
  address = /http:\S+/.exec(await running.says(/understudy ui: \S+\nwatching; Ctrl-C ends/))?.[0] ?? '';
});
afterAll(async () => {
  running?.signal('SIGINT');
  expect(await running?.exited).toBe(130);
  rmSync(folder, { recursive: true, force: true });
});

const tokenIn = (text: string) => /#token=(.+)$/.exec(text)?.[1] ?? '';

it('lets in nobody without the token, and no other page', async () => {
  const { origin } = new URL(address);
  const token = tokenIn(address);
  const status = async (path: string, init: RequestInit = {}) => (await fetch(`${origin}${path}`, init)).status;
  const bearer = { authorization: `Bearer ${token}` };
  const json = { 'content-type': 'application/json' };
  // The page itself has no data.
  expect(await status('/')).toBe(200);
  expect(await status(`/api/overview?token=${token}`)).toBe(401);
  expect(await status('/api/overview', { headers: { cookie: `understudy_ui=${token}` } })).toBe(401);
  expect(await status('/api/overview')).toBe(401);
  expect(await status('/api/overview', { headers: bearer })).toBe(200);
  expect(await status('/api/run', { method: 'POST', headers: { ...bearer, ...json }, body: '{"run":7}' })).toBe(400);
  expect(await status('/api/run', { method: 'POST', headers: bearer, body: '{"run":"all"}' })).toBe(415);
  const foreign = { ...bearer, origin: 'http://evil.example' };
  expect(await status('/api/overview', { headers: foreign })).toBe(403);
  expect(await status('/api/test?index=99', { headers: bearer })).toBe(404);
});

describe.skipIf(program === undefined)('the page of `understudy ui`', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({
      ...(program === undefined ? {} : { executablePath: program }),
      args: ['--no-sandbox'],
      env: { ...process.env, HOME: folder },
    });
    context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(address);
    await page.waitForSelector('main');
  });
  afterAll(async () => browser?.close());

  const mark = (name: string) =>
    page.locator('.tests li', { hasText: name }).locator('.mark').first().getAttribute('aria-label');

  it('tells the token to no other port of this machine', async () => {
    const heard: string[] = [];
    const other = createServer(({ url, headers }, response) => {
      heard.push(JSON.stringify([url, headers]));
      response.end('hello');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const tab = await context.newPage();
    try {
      await tab.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    } finally {
      await tab.close();
      other.close();
    }
    expect(heard.join()).toContain('127.0.0.1');
    expect(heard.join()).not.toContain(tokenIn(address));
    expect(await context.cookies()).toEqual([]);
  });

  it('says what to do in a tab without the token', async () => {
    const tab = await context.newPage();
    await tab.goto(new URL(address).origin);
    await expect.poll(() => tab.textContent('.bad')).toContain('open the address that `understudy ui` printed');
    await tab.close();
  });

  it('lists tests before they run, and runs one by a click', async () => {
    expect(page.url()).not.toContain('token');
    expect(await page.textContent('.verdict')).toContain('Ready');
    expect(await Promise.all(['good', 'bad', 'slow'].map(mark))).toEqual(['idle', 'idle', 'idle']);
    expect(await page.getByRole('button', { name: /skipped/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Run good' }).click();
    await expect.poll(() => mark('good'), { timeout: 30_000 }).toBe('passed');
    expect(await mark('bad')).toBe('idle');
  });

  it('shows the timeline while the agent works, and after it', async () => {
    await page.getByRole('link', { name: /slow/ }).click();
    await page.getByRole('button', { name: 'Run slow' }).click();
    await expect.poll(() => page.textContent('main'), { timeout: 30_000 }).toContain('The first answer.');
    await expect.poll(() => page.textContent('main'), { timeout: 30_000 }).toContain('Bash {"command"');
    expect(await page.textContent('main')).not.toContain('The second answer.');
    expect(await page.textContent('main')).not.toContain('not run yet');
    expect(await page.getByRole('button', { name: 'Run slow' }).textContent()).toBe('running');
    writeFiles(folder, { go: '' });
    await expect.poll(() => page.textContent('main'), { timeout: 30_000 }).toContain('The second answer.');
    await expect.poll(() => page.locator('h2 .mark').getAttribute('aria-label'), { timeout: 30_000 }).toBe('passed');
    await page.keyboard.press('Escape');
  });

  it('runs all, runs again what a changed file touches, and tells of a broken one', async () => {
    await page.getByRole('button', { name: 'Run all' }).click();
    await expect.poll(() => mark('bad'), { timeout: 60_000 }).toBe('failed');
    await expect.poll(() => page.textContent('.verdict'), { timeout: 60_000 }).toContain('Failed');
    writeFiles(folder, { 'tests/bad.rehearsal.toml': greeting({ name: 'bad' }) });
    await expect.poll(() => mark('bad'), { timeout: 60_000 }).toBe('passed');
    await expect.poll(() => page.textContent('.verdict'), { timeout: 60_000 }).toContain('Passed');
    writeFiles(folder, { 'tests/good.rehearsal.toml': 'steps = [' });
    const broken = 'tests/good.rehearsal.toml';
    await expect.poll(() => page.textContent('.bar .bad'), { timeout: 60_000 }).toContain(`${broken}:1:`);
    await expect.poll(() => mark(broken), { timeout: 60_000 }).toBe('error');
    await expect.poll(() => page.locator('.tests li').count()).toBe(3);
    expect(faults).toEqual([]);
    // What was run here can be looked at later, as any run.
    const shown = async () => (await runUnderstudy(['report', 'show', '--json'], { cwd: folder })).stdout;
    await expect.poll(shown, { timeout: 30_000 }).toMatch(/"passed": ?2,[\s\S]*"errors": ?1,/);
  });
});
