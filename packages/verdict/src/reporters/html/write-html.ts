import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { ownFile } from '@understudy/kit';
import { isRed } from '../../results/entry-result.js';
import type { RunResult } from '../../results/run-result.js';
import { detailsOf, type OverviewEntry, overviewEntry, overviewOf } from './page-data.js';
import { readLogs } from './read-logs.js';

/** Where the page of the report has its data. */
const DATA_MARK = '<!--data-->';
/** Above this, the logs of passed tests stay out of the page. */
const LARGEST_PAGE = 20 * 1024 * 1024;

/**
 * The report as one page that needs nothing else, in pieces: of thousands of tests it takes more memory than the run
 * itself. `folder` is where the logs of the run are found.
 */
export function* htmlPieces(
  run: RunResult,
  folder: string | undefined,
  template = readTemplate(),
): Generator<string, void> {
  const place = template.indexOf(DATA_MARK);
  yield template.slice(0, place);
  const overview: OverviewEntry[] = [];
  let size = 0;
  for (const [index, entry] of run.entries.entries()) {
    const logs = readLogs(entry, folder);
    overview.push(overviewEntry(entry, logs));
    const whole = block(`test-${index}`, detailsOf(entry, logs));
    const fits = size + whole.length <= LARGEST_PAGE || isRed(entry);
    const notice = 'The page would be too large: the events of this test are only in its logs.';
    const test = fits ? whole : block(`test-${index}`, { ...detailsOf(entry, { events: [], requests: [] }), notice });
    yield `${test}\n`;
    size += test.length;
  }
  yield block('overview', overviewOf(run, overview));
  yield template.slice(place + DATA_MARK.length);
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
