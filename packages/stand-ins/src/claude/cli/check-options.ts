import { CliError, EFFORTS, jsonComplaint } from '@understudy/agents';
import { isObject, type JsonObject, parseJson } from '@understudy/kit';
import { isUuid } from '../output/ids.js';
import type { Options } from './options.js';

const SETTING_SOURCES = ['user', 'project', 'local'];
const SCHEMA_TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

export function checkSources({ settingSources }: Options): void {
  const unknown = settingSources?.find((source) => !SETTING_SOURCES.includes(source));
  if (unknown === undefined) return;
  throw new CliError(
    `Error processing --setting-sources: Invalid setting source: ${unknown}. Valid options are: ${SETTING_SOURCES.join(', ')}`,
  );
}

export function checkSessionFlags(options: Options): void {
  if (options.sessionId === undefined) return;
  if ((options.resume !== undefined || options.continue) && !options.forkSession) {
    throw new CliError(
      'Error: --session-id can only be used with --continue or --resume if --fork-session is also specified.',
    );
  }
  if (!isUuid(options.sessionId)) throw new CliError('Error: Invalid session ID. Must be a valid UUID.');
}

/** Flags that need a certain format, and the schema of the answer. */
export function checkFormats(options: Options): void {
  const { outputFormat, inputFormat } = options;
  if (inputFormat === 'stream-json' && outputFormat !== 'stream-json') {
    throw new CliError('Error: --input-format=stream-json requires output-format=stream-json.');
  }
  if (options.awaitInitialize && inputFormat !== 'stream-json') {
    throw new CliError('Error: --await-initialize requires --input-format=stream-json.');
  }
  if (options.replayUserMessages && inputFormat !== 'stream-json') {
    throw new CliError(
      'Error: --replay-user-messages requires both --input-format=stream-json and --output-format=stream-json.',
    );
  }
  for (const [flag, given] of [
    ['--include-partial-messages', options.includePartialMessages],
    ['--forward-subagent-text', options.forwardSubagentText],
  ] as const) {
    if (given && outputFormat !== 'stream-json')
      throw new CliError(`Error: ${flag} requires --print and --output-format=stream-json.`);
  }
  if (options.jsonSchema !== undefined) checkSchema(options.jsonSchema);
}

export function checkVerbose({ outputFormat, verbose }: Options): void {
  if (outputFormat === 'stream-json' && !verbose)
    throw new CliError('Error: When using --print, --output-format=stream-json requires --verbose');
}

/** The effort that the CLI works with; none where it is not given or not known. */
export function knownEffort({ effort }: { effort?: string | undefined }): string | undefined {
  const wanted = effort?.toLowerCase();
  return EFFORTS.find((known) => known === wanted);
}

function checkSchema(text: string): void {
  const schema = parseJson(text);
  if (schema === undefined) throw new CliError(`Error: --json-schema is not valid JSON: ${jsonComplaint(text)}`);
  if (!isObject(schema)) throw new CliError('Error: --json-schema must be a JSON object');
  const path = wrongType(schema, 'data');
  if (path === undefined) return;
  throw new CliError(
    `Error: --json-schema is not a valid JSON Schema: ${path} must be equal to one of the allowed values, ${path} must be array, ${path} must match a schema in anyOf`,
  );
}

/** The first `type` in a schema that is none. */
function wrongType(schema: JsonObject, path: string): string | undefined {
  const { type, properties, items } = schema;
  if (typeof type === 'string' && !SCHEMA_TYPES.includes(type)) return `${path}/type`;
  for (const [name, part] of Object.entries(isObject(properties) ? properties : {})) {
    const wrong = isObject(part) ? wrongType(part, `${path}/properties/${name}`) : undefined;
    if (wrong !== undefined) return wrong;
  }
  return isObject(items) ? wrongType(items, `${path}/items`) : undefined;
}
