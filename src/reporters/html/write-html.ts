import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { ownFile } from '../../process/own-program.js';
import { isRed } from '../../results/entry-result.js';
import type { RunResult } from '../../results/run-result.js';
import { detailsOf, type OverviewEntry, overviewEntry, overviewOf } from './page-data.js';
import { readLogs } from './read-logs.js';

/** Where the page of the report has its data. */
const DATA_MARK = '<!--data-->';
/** Above this, the logs of passed tests stay out of the page. */
const LARGEST_PAGE = 20 * 1024 * 1024;

/** The report as one page that needs nothing else. `folder` is where the logs of the run are found. */
export function writeHtml(run: RunResult, folder: string | undefined, template = readTemplate()): string {
  const overview: OverviewEntry[] = [];
  const tests: string[] = [];
  let size = 0;
  // One after the other: the logs of all of them would not fit into memory.
  for (const [index, entry] of run.entries.entries()) {
    const logs = readLogs(entry, folder);
    overview.push(overviewEntry(entry, logs));
    const whole = block(`test-${index}`, detailsOf(entry, logs));
    const fits = size + whole.length <= LARGEST_PAGE || isRed(entry);
    const notice = 'The page would be too large: the events of this test are only in its logs.';
    const test = fits ? whole : block(`test-${index}`, { ...detailsOf(entry, { events: [], requests: [] }), notice });
    tests.push(test);
    size += test.length;
  }
  const blocks = [block('overview', overviewOf(run, overview)), ...tests];
  // A function, because a text may have `$&` in it.
  return template.replace(DATA_MARK, () => blocks.join('\n'));
}

/** The page for `understudy ui`: without data, and allowed to ask the server that it comes from. */
export function writeLivePage(template = readTemplate()): string {
  return template
    .replace(DATA_MARK, '<script type="application/json" id="live"></script>')
    .replace("base-uri 'none'", "connect-src 'self'; base-uri 'none'");
}

/** Packed data has no character that could end the element. */
function block(id: string, value: unknown): string {
  const packed = gzipSync(JSON.stringify(value)).toString('base64');
  return `<script type="application/gzip" id="${id}">${packed}</script>`;
}

function readTemplate(): string {
  return readFileSync(ownFile('report/index.html'), 'utf8');
}
