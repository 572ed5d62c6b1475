import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlPieces } from '../../packages/verdict/src/reporters/html/write-html.js';
import { HOSTILE } from '../helpers/hostile-text.js';
import { optionalProgram } from '../helpers/optional-program.js';
import { failedRehearsal, oneOfEach, rehearsalRun } from '../helpers/sample-runs.js';

const program = optionalProgram('chromium', 'the tests of the report in a browser');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'understudy-page-'));
let browser: Browser;
const faults: string[] = [];

/** Writes a page and gives its address. */
function write(name: string, ...args: Parameters<typeof htmlPieces>): string {
  writeFileSync(join(folder, name), [...htmlPieces(...args)].join(''));
  return `file://${join(folder, name)}`;
}

async function open(address: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, ...options });
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:') && !request.url().startsWith('blob:')) faults.push(request.url());
  });
  await page.goto(address);
  await page.waitForSelector('main');
  return page;
}

/** Problems for people who cannot see or use a mouse. */
async function barriers(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  // The policy of the page allows no script of ours; the debugger is not bound by it.
  await session.send('Runtime.evaluate', { expression: AXE });
  const { result } = await session.send('Runtime.evaluate', {
    expression:
      'axe.run().then(({ violations }) => JSON.stringify(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => `${id}: ${nodes[0].html}`)))',
    awaitPromise: true,
  });
  await session.detach();
  return JSON.parse(String(result.value)) as string[];
}

const event = (turn: number, number: number, body: object) =>
  JSON.stringify({ seq: number, at: new Date(1_800_000_000_000 + number * 50).toISOString(), turn, ...body });

const WORKFLOW = {
  initial: 'idle',
  stages: ['idle', 'exploring', 'planning'],
  transitions: [
    { from: 'idle', to: 'exploring' },
    { from: 'exploring', to: 'planning' },
    { from: 'planning', to: 'idle' },
  ],
};

function sampleLog(turns: number): string {
  const lines = [event(0, 0, { type: 'session', agent: 'claude', version: '2.1.325', stage: 'sim', cwd: '/x' })];
  for (let turn = 1; turn <= turns; turn++) {
    lines.push(
      event(turn, turn * 10, { type: 'prompt', id: `${turn}`, text: `say ${turn} ${HOSTILE}` }),
      event(turn, turn * 10 + 1, { type: 'tool_call', id: `t${turn}`, tool: 'Read', input: { file: `${turn}.py` } }),
      event(turn, turn * 10 + 2, { type: 'tool_result', id: `t${turn}`, tool: 'Read', text: '<b>x</b>', status: 'ok' }),
      event(turn, turn * 10 + 3, { type: 'text', text: `</script><script>alert(${turn})</script>` }),
      event(turn, turn * 10 + 4, {
        type: 'file_changed',
        path: 'a',
        change: 'modified',
        before: 'one\n',
        after: 'two\n',
      }),
      event(turn, turn * 10 + 5, { type: 'turn_ended', outcome: 'completed', milliseconds: 250 }),
    );
  }
  return `${lines.join('\n')}\n`;
}

describe.skipIf(program === undefined)('the report in a browser', () => {
  let small = '';
  let big = '';

  beforeAll(async () => {
    browser = await chromium.launch({
      ...(program === undefined ? {} : { executablePath: program }),
      args: ['--no-sandbox'],
      env: { ...process.env, HOME: folder },
    });
    for (const turns of [3, 500]) {
      mkdirSync(join(folder, `logs/${turns}`), { recursive: true });
      writeFileSync(join(folder, `logs/${turns}/events.jsonl`), sampleLog(turns));
      const files = [{ path: 'a', text: 'one\n' }, { path: 'b' }];
      writeFileSync(join(folder, `logs/${turns}/project.json`), JSON.stringify({ files, more: 0 }));
    }
    const [failed, ...others] = oneOfEach();
    const moves = [{ from: 'idle', to: 'exploring' }];
    const steps = failed?.steps.map((step) => (step.number === 1 ? { ...step, workflow: moves } : step));
    small = write(
      'small.html',
      {
        ...rehearsalRun([
          failedRehearsal('Glob', { logs: 'logs/3', steps: steps ?? [], workflow: WORKFLOW }),
          ...others,
        ]),
        isolation: { level: 'none', reason: 'bubblewrap is not installed' },
      },
      folder,
    );
    const many = Array.from({ length: 1000 }, (_, number) =>
      failedRehearsal('x', {
        id: `t${number}`,
        name: `test number ${number}`,
        status: number % 50 === 0 ? 'failed' : 'passed',
      }),
    );
    big = write('big.html', rehearsalRun([...many, failedRehearsal('long', { logs: 'logs/500' })]), folder);
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows the verdict, filters and searches, and finds a reason', async () => {
    const page = await open(small);
    expect(await page.textContent('.verdict')).toContain('interrupted: there is no verdict');
    expect(await page.textContent('main')).toContain('isolation: none (bubblewrap is not installed)');
    expect(await page.locator('.tests li').count()).toBe(8);
    expect(await page.textContent('.tests')).toContain('no Glob');
    await page.getByRole('button', { name: '1 skipped' }).click();
    expect(await page.locator('.tests li').count()).toBe(1);
    await page.getByRole('button', { name: '1 skipped' }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('flaky');
    await expect.poll(() => page.locator('.tests li').count()).toBe(1);
    expect(page.url()).toContain('q=flaky');
    expect(await page.textContent('.matrix')).toContain('claude 2.1.325');
    expect(await barriers(page)).toEqual([]);
    await page.close();
  });

  it('opens a failure, walks its timeline by keyboard, and links to every place', async () => {
    const page = await open(small);
    await page.getByRole('link', { name: /a rehearsal about Glob/ }).click();
    await page.waitForSelector('.timeline');
    expect(await page.textContent('.path')).toBe('idleexploring');
    expect(await page.locator('.graph .node.last title').textContent()).toBe('exploring');
    expect(await page.locator('.graph .edge.taken').count()).toBe(1);
    expect(await page.textContent('.command')).toContain("understudy run 'Glob'");
    const check = page.locator('.item', { hasText: 'tools: Glob: failed' });
    expect(await check.locator('.wanted').textContent()).toBe('one of Glob');
    expect(await check.locator('.unwanted').textContent()).toBe('no tool but Glob');
    expect(await check.locator('pre').first().textContent()).toContain('> 14 | tools = ["Glob"]');
    for (const key of ['ArrowDown', 'j', 'j', 'k', 'j']) await page.keyboard.press(key);
    expect(await page.locator('.item.chosen .title').textContent()).toBe('Read {"file":"1.py"} → ok');
    await page.keyboard.press('Enter');
    expect(await page.locator('.item.chosen pre').allTextContents()).toEqual(['{\n  "file": "1.py"\n}', '<b>x</b>']);
    const address = page.url();
    expect(await barriers(page)).toEqual([]);
    // A step through time: the project as it was then, and at the end.
    await page.getByText('At this moment').click();
    expect(await page.textContent('.moment')).toContain('0 of 2 files changed');
    await page.getByRole('slider').fill('99');
    await expect.poll(() => page.textContent('.moment')).toContain('1 of 2 files changed');
    await page.locator('.moment .file', { hasText: 'modified a' }).locator('summary').click();
    expect(await page.locator('.moment .file pre').first().textContent()).toBe('two\n');
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.waitForSelector('.tests');
    await page.close();

    const linked = await open(address);
    await linked.waitForSelector('.item.chosen');
    expect(await linked.locator('.item.chosen .title').textContent()).toContain('Read');
    // Texts of the agent are text: what cannot be seen has a number, and no script of it ran.
    const second = linked.locator('[data-item="3"] .title');
    expect(await second.textContent()).toBe('</script><script>alert(1)</script>');
    expect(await linked.locator('[data-item="1"] .title').textContent()).toContain('\\u{1b}]52;c;');
    await linked.close();
  });

  it('is dark when the reader wants it, and fits a phone', async () => {
    const page = await open(small, { colorScheme: 'dark', viewport: { width: 400, height: 800 } });
    const colors = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await expect.poll(colors).toBe('rgb(15, 19, 24)');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use light colors' }).click();
    await expect.poll(colors).toBe('rgb(255, 255, 255)');
    const width = () => page.evaluate('document.documentElement.scrollWidth');
    expect(await width()).toBe(400);
    await page.getByRole('link', { name: /a rehearsal about Glob/ }).click();
    await page.waitForSelector('.timeline');
    expect(await width()).toBe(400);
    await page.close();
  });

  it('stays quick with a thousand tests and with five hundred turns', async () => {
    const page = await open(big);
    await page.waitForSelector('.tests li');
    expect(await page.locator('.tests li').count()).toBe(1001);
    const took = await page.evaluate<{ milliseconds: number; shown: number }>(`(async () => {
      const box = document.querySelector('input');
      const started = performance.now();
      box.value = 'number 999';
      box.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      return { milliseconds: performance.now() - started, shown: document.querySelectorAll('.tests li').length };
    })()`);
    expect(took.shown).toBe(1);
    expect(took.milliseconds).toBeLessThan(2000);
    await page.keyboard.press('Escape');
    await page.goto(`${big}#q=long`);
    await page.getByRole('link', { name: /a rehearsal about long/ }).click();
    await expect.poll(() => page.locator('.turn').count()).toBe(501);
    const walked = await page.evaluate<number>(`(async () => {
      const started = performance.now();
      for (let step = 0; step < 20; step++) {
        dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }));
        await new Promise((drawn) => requestAnimationFrame(drawn));
      }
      return performance.now() - started;
    })()`);
    expect(await page.locator('.item.chosen').getAttribute('data-item')).toBe('19');
    expect(walked).toBeLessThan(6000);
    await page.close();
  });

  it('loads nothing, runs nothing but its own script, and has no error', async () => {
    const page = await open(small);
    const policy = await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', 'content');
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/,
    );
    await page.close();
    expect(faults).toEqual([]);
    const injected = await browser.newPage();
    await injected.goto(small);
    const ran = await injected.evaluate(`(() => {
      const script = document.createElement('script');
      script.textContent = 'window.injected = true';
      document.body.append(script);
      return 'injected' in window;
    })()`);
    expect(ran).toBe(false);
    await injected.close();
  });
});
