// `npm run screenshots`: runs the example marketplace with one rehearsal that fails, and writes pictures of its report
// into docs/images. It needs a Chromium (CHROMIUM, or `chromium` on PATH).
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const SIZE = { width: 1200, height: 860 };
const images = resolve('docs/images');
const scratch = mkdtempSync(join(tmpdir(), 'understudy-pictures-'));

try {
  mkdirSync(images, { recursive: true });
  const page = await run();
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  try {
    await overview(browser, page);
    await failure(browser, page);
    await timeline(browser, page);
  } finally {
    await browser.close();
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The marketplace on the stage sim, with one expectation that does not hold. */
async function run() {
  cpSync('examples/marketplace', join(scratch, 'marketplace'), { recursive: true });
  const file = join(scratch, 'marketplace/rehearsals/flows/agent-loop-whole.rehearsal.toml');
  const text = readFileSync(file, 'utf8');
  const broken = text.replace(/suggests = "([^"]+)"/, 'suggests = "/deploy"');
  if (broken === text) throw new Error(`${file} has no expectation to change`);
  writeFileSync(file, broken);
  const env = { PATH: process.env.PATH, HOME: scratch, UNDERSTUDY_STORE: process.env.UNDERSTUDY_STORE ?? '' };
  const understudy = (...args) =>
    spawnSync(process.execPath, [resolve('dist/bin/understudy.js'), ...args], {
      ...{ cwd: join(scratch, 'marketplace'), env, stdio: 'inherit' },
    });
  understudy('run', '.', '--stage', 'sim', '--reporter', 'dot', '--output', '../report');
  // The pictures show nothing of the machine on which they were made.
  const result = join(scratch, 'report/result.json');
  const document = JSON.parse(readFileSync(result, 'utf8'));
  writeFileSync(result, JSON.stringify({ ...document, environment: { os: 'linux x64', node: 'v22' } }));
  understudy('report', 'open', '../report', '--no-open');
  return pathToFileURL(join(scratch, 'report/report.html')).href;
}

async function overview(browser, address) {
  const page = await open(browser, address);
  await page.screenshot({ path: join(images, 'report-overview.png') });
}

async function failure(browser, address) {
  const page = await open(browser, address);
  await page.locator('.tests a').first().click();
  await page.waitForSelector('.timeline');
  await page.locator('.item details[open]').first().scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(images, 'report-failure.png') });
}

async function timeline(browser, address) {
  const page = await open(browser, address, 'dark');
  await page.locator('.tests a').first().click();
  await page.waitForSelector('.timeline');
  const change = page.locator('.item', { hasText: 'modified' }).first();
  await change.locator('summary').click();
  await page.getByText('At this moment').click();
  await change.scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(images, 'report-timeline.png') });
}

async function open(browser, address, colorScheme = 'light') {
  const page = await browser.newPage({ viewport: SIZE, colorScheme });
  await page.goto(address);
  await page.waitForSelector('.tests');
  return page;
}

function findChromium() {
  return process.env.CHROMIUM ?? execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
}
