import { resolve } from 'node:path';
import { CliError } from '../../../claude-code/cli-error.js';
import { jsonComplaint } from '../../../claude-code/json-complaint.js';
import { isObject, type JsonObject, parseJson, readIfThere } from '../../../document/json.js';
import type { OutputFormat } from '../output/formats.js';
import { isUuid } from '../output/ids.js';
import { type ParsedArguments, parseArguments } from './arguments.js';

const SETTING_SOURCES = ['user', 'project', 'local'];
const ALLOWED_BETA = 'context-1m-2025-08-07';
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];
const SCHEMA_TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** What the command line asks for. */
export interface Options {
  prompt?: string;
  help: boolean;
  version: boolean;
  outputFormat: OutputFormat;
  inputFormat: 'text' | 'stream-json';
  verbose: boolean;
  includePartialMessages: boolean;
  includeHookEvents: boolean;
  replayUserMessages: boolean;
  forwardSubagentText: boolean;
  model?: string;
  fallbackModels: string[];
  /** `true` when `--resume` came without a value. */
  resume?: string | true;
  continue: boolean;
  forkSession: boolean;
  sessionId?: string;
  persist: boolean;
  name?: string;
  settings: string[];
  settingSources?: string[];
  permissionMode?: string;
  skipPermissions: boolean;
  allowSkipPermissions: boolean;
  permissionPromptTool?: string;
  /** `--permission-prompts none`: nobody answers a permission prompt. */
  noPermissionPrompts: boolean;
  allowedTools: string[];
  disallowedTools: string[];
  tools?: string[];
  addDirs: string[];
  mcpConfig: string[];
  strictMcpConfig: boolean;
  pluginDirs: string[];
  disableSlashCommands: boolean;
  bare: boolean;
  systemPrompt?: string;
  agents?: string;
  agent?: string;
  jsonSchema?: string;
  maxBudgetUsd?: number;
  maxTurns?: number;
  scenario?: string;
  failure?: string;
  claudeVersion?: string;
  betas: string[];
  effort?: string;
  awaitInitialize: boolean;
}

/** Reads the command line. Errors are those of the real CLI. */
export function readOptions(argv: readonly string[]): Options {
  const { positional, flags }: ParsedArguments = parseArguments(argv);
  const has = (name: string): boolean => flags.has(name);
  const last = (name: string): string | undefined => flags.get(name)?.at(-1);
  const all = (name: string): string[] => flags.get(name) ?? [];
  const options: Options = {
    help: has('--help'),
    version: has('--version'),
    outputFormat: (last('--output-format') ?? 'text') as OutputFormat,
    inputFormat: (last('--input-format') ?? 'text') as Options['inputFormat'],
    verbose: has('--verbose'),
    includePartialMessages: has('--include-partial-messages'),
    includeHookEvents: has('--include-hook-events'),
    replayUserMessages: has('--replay-user-messages'),
    forwardSubagentText: has('--forward-subagent-text'),
    fallbackModels: splitList(last('--fallback-model') ?? '', ','),
    continue: has('--continue'),
    forkSession: has('--fork-session'),
    persist: !has('--no-session-persistence'),
    settings: [...all('--managed-settings'), ...all('--settings')].filter((text) => text !== ''),
    skipPermissions: has('--dangerously-skip-permissions'),
    allowSkipPermissions: has('--allow-dangerously-skip-permissions'),
    allowedTools: all('--allowedTools').flatMap(splitTools),
    disallowedTools: all('--disallowedTools').flatMap(splitTools),
    addDirs: all('--add-dir'),
    mcpConfig: all('--mcp-config').filter((text) => text !== ''),
    strictMcpConfig: has('--strict-mcp-config'),
    pluginDirs: all('--plugin-dir'),
    disableSlashCommands: has('--disable-slash-commands'),
    bare: has('--bare'),
    betas: all('--betas'),
    noPermissionPrompts: last('--permission-prompts') === 'none',
    awaitInitialize: has('--await-initialize'),
  };
  const set = <K extends keyof Options>(key: K, value: Options[K] | undefined): void => {
    if (value !== undefined) options[key] = value;
  };
  set('prompt', positional[0]);
  set('model', last('--model'));
  set('effort', last('--effort'));
  if (has('--resume')) options.resume = last('--resume') || true;
  set('sessionId', last('--session-id') || undefined);
  set('name', last('--name') || undefined);
  if (has('--setting-sources')) options.settingSources = splitList(last('--setting-sources') ?? '', ',');
  set('permissionMode', last('--permission-mode')?.replace(/^manual$/, 'default'));
  if (!options.noPermissionPrompts) set('permissionPromptTool', last('--permission-prompt-tool'));
  if (has('--tools')) options.tools = all('--tools').flatMap(splitTools);
  set('systemPrompt', systemPrompt(last));
  set('agents', last('--agents') || undefined);
  set('agent', last('--agent'));
  set('jsonSchema', last('--json-schema') || undefined);
  set('maxBudgetUsd', numberOf(last('--max-budget-usd')));
  // Zero means no limit.
  set('maxTurns', numberOf(last('--max-turns')) || undefined);
  set('scenario', last('--scenario'));
  set('failure', last('--failure'));
  set('claudeVersion', last('--claude-version'));
  return options;
}

/** The checks that the real CLI makes before it loads anything. */
export function checkOptions(options: Options): void {
  const { outputFormat, inputFormat } = options;
  if (outputFormat === 'stream-json' && !options.verbose) {
    throw new CliError('Error: When using --print, --output-format=stream-json requires --verbose');
  }
  if (inputFormat === 'stream-json' && outputFormat !== 'stream-json') {
    throw new CliError('Error: --input-format=stream-json requires output-format=stream-json.');
  }
  if (options.replayUserMessages && inputFormat !== 'stream-json') {
    throw new CliError(
      'Error: --replay-user-messages requires both --input-format=stream-json and --output-format=stream-json.',
    );
  }
  if (options.awaitInitialize && inputFormat !== 'stream-json') {
    throw new CliError('Error: --await-initialize requires --input-format=stream-json.');
  }
  for (const [flag, given] of [
    ['--include-partial-messages', options.includePartialMessages],
    ['--forward-subagent-text', options.forwardSubagentText],
  ] as const) {
    if (given && outputFormat !== 'stream-json')
      throw new CliError(`Error: ${flag} requires --print and --output-format=stream-json.`);
  }
  const unknown = options.settingSources?.find((source) => !SETTING_SOURCES.includes(source));
  if (unknown !== undefined) {
    throw new CliError(
      `Error processing --setting-sources: Invalid setting source: ${unknown}. Valid options are: ${SETTING_SOURCES.join(', ')}`,
    );
  }
  if (options.jsonSchema !== undefined) checkSchema(options.jsonSchema);
  if (options.sessionId !== undefined) {
    if ((options.resume !== undefined || options.continue) && !options.forkSession) {
      throw new CliError(
        'Error: --session-id can only be used with --continue or --resume if --fork-session is also specified.',
      );
    }
    if (!isUuid(options.sessionId)) throw new CliError('Error: Invalid session ID. Must be a valid UUID.');
  }
}

/** What the real CLI warns about before it goes on. */
export function optionWarnings({ effort, betas }: Options): string[] {
  const warnings: string[] = [];
  if (effort !== undefined && !EFFORTS.includes(effort.toLowerCase())) {
    warnings.push(
      `Warning: Unknown --effort value '${effort}' — ignoring it and using the default effort. Valid values: ${EFFORTS.join(', ')}.`,
    );
  }
  for (const beta of betas.filter((name) => name !== ALLOWED_BETA)) {
    warnings.push(
      `Warning: Beta header '${beta}' is not allowed. Only the following betas are supported: ${ALLOWED_BETA}`,
    );
  }
  return warnings;
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

/** `Bash(git *) Edit,Read` is three rules: commas and spaces separate, unless they are in parentheses. */
export function splitTools(text: string): string[] {
  const tools: string[] = [];
  let depth = 0;
  let tool = '';
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth = Math.max(0, depth - 1);
    if (depth === 0 && (character === ',' || character === ' ')) {
      if (tool !== '') tools.push(tool);
      tool = '';
    } else {
      tool += character;
    }
  }
  if (tool !== '') tools.push(tool);
  return tools;
}

function splitList(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function systemPrompt(last: (name: string) => string | undefined): string | undefined {
  const file = (name: string, what: string): string | undefined => {
    const path = last(name);
    if (path === undefined) return undefined;
    const text = readIfThere(path);
    if (text === undefined) throw new CliError(`Error: ${what} file not found: ${resolve(path)}`);
    return text;
  };
  const whole = file('--system-prompt-file', 'System prompt');
  const appended = file('--append-system-prompt-file', 'Append system prompt');
  const parts = [last('--system-prompt') ?? whole, last('--append-system-prompt') ?? appended];
  const given = parts.filter((part) => part !== undefined);
  return given.length === 0 ? undefined : given.join('\n\n');
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
