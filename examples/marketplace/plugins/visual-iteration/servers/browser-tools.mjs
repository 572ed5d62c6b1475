// The launcher of the browser-tools server: a real browser where one is configured, the mock otherwise.
import { accessSync, constants } from 'node:fs';
import { mockBrowser } from './mock-browser.mjs';
import { passOnTo } from './real-browser.mjs';

/** Pinned, so that a new release cannot change what a rehearsal sees. */
const PLAYWRIGHT = 'npx -y @playwright/mcp@0.0.83';

/** No window, no profile that outlives the session, no page dumps beside the pictures. */
const FLAGS = ['--headless', '--isolated', '--no-sandbox', '--snapshot-mode', 'none', '--output-dir', 'screenshots'];

function say(line) {
  process.stderr.write(`browser-tools: ${line}\n`);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const chromium = process.env.BROWSER_TOOLS_CHROMIUM;
if (!chromium) {
  say('no BROWSER_TOOLS_CHROMIUM is set, so this is the mock');
  mockBrowser(process.stdin, process.stdout);
} else if (isExecutable(chromium)) {
  const server = process.env.BROWSER_TOOLS_SERVER || PLAYWRIGHT;
  say(`real browser ${chromium} through ${server}`);
  passOnTo([...server.split(' '), ...FLAGS, '--executable-path', chromium], say);
} else {
  say(`BROWSER_TOOLS_CHROMIUM names ${chromium}, which is not an executable file`);
  process.exitCode = 1;
}
