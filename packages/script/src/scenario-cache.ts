import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isObject, parseJson, readIfThere } from '@understudy/kit';
import { FileText } from './file-reference.js';
import type { Scenario } from './load.js';
import type { ScenarioDocument } from './schema.js';

/** Raise this with every change of the scenario format, so that older entries are validated again. */
const FORMAT = 2;

/** Names a file with a scenario that was validated when it was written: whoever reads it need not look again. */
const CHECKED_VARIABLE = 'UNDERSTUDY_SCENARIO_CHECKED';

/** Writes a valid scenario to a file, and gives the variable that says so to a stand-in of the same format. */
export function writeChecked(document: ScenarioDocument, file: string): Record<string, string> {
  const text = JSON.stringify(document);
  writeFileSync(file, text);
  return dependsOnFiles(text) ? {} : { [CHECKED_VARIABLE]: checkedMark(file) };
}

function checkedMark(file: string): string {
  return `${FORMAT} ${file}`;
}

/** Other files may change on their own. */
function dependsOnFiles(text: string): boolean {
  return text.includes('$file');
}

/**
 * Reads a valid scenario from the cache, because parsing and validating takes longer than the rest of a short run.
 * A scenario has one entry, by its path, with the text that was validated. Any change of the file is a miss.
 */
export function readCachedScenario(file: string, text: string, env: NodeJS.ProcessEnv): Scenario | undefined {
  const reviver = text.includes('$text') ? literalText : undefined;
  if (env[CHECKED_VARIABLE] === checkedMark(file)) {
    const document = parseJson(text, reviver);
    return isObject(document) ? { document: document as ScenarioDocument, file, warnings: [] } : undefined;
  }
  const cached = readIfThere(cacheFile(file, env)) ?? '';
  const entry = parseJson(cached, reviver);
  if (!isObject(entry) || entry['format'] !== FORMAT || entry['text'] !== text || !isObject(entry['document']))
    return undefined;
  return { document: entry['document'] as ScenarioDocument, file, warnings: [] };
}

/** Turns `{ "$text": … }` back into a literal text. */
function literalText(_key: string, value: unknown): unknown {
  const found = isObject(value) && Object.keys(value).length === 1 ? value['$text'] : undefined;
  return typeof found === 'string' ? new FileText(found) : value;
}

/** Stores a valid scenario, unless it depends on other files. */
export function keepScenario(scenario: Scenario, text: string, env: NodeJS.ProcessEnv): void {
  const { file, document } = scenario;
  if (file === undefined || dependsOnFiles(text)) return;
  const target = cacheFile(file, env);
  try {
    mkdirSync(cacheFolder(env), { recursive: true });
    const half = `${target}.${process.pid}`;
    writeFileSync(half, JSON.stringify({ format: FORMAT, text, document }));
    renameSync(half, target);
  } catch {
    // Without a writable cache folder we work without a cache.
  }
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] ?? join(env['HOME'] ?? homedir(), '.cache'), 'understudy', 'scenarios');
}

function cacheFile(file: string, env: NodeJS.ProcessEnv): string {
  return join(cacheFolder(env), `${pathHash(file)}.json`);
}

/** A short name for a path. Two paths with the same hash cause a miss, never a wrong scenario. */
function pathHash(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x5bd1e995);
  }
  return (low >>> 0).toString(16).padStart(8, '0') + (high >>> 0).toString(16).padStart(8, '0');
}
