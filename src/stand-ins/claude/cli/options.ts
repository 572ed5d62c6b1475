import { readFileSync } from 'node:fs';
import { CliError } from '../../../claude-code/cli-error.js';
import type { OutputFormat } from '../output/formats.js';
import { isUuid } from '../output/ids.js';
import { type ParsedArguments, parseArguments } from './arguments.js';

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
  cwd?: string;
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
    settings: [...all('--managed-settings'), ...all('--settings')],
    skipPermissions: has('--dangerously-skip-permissions'),
    allowSkipPermissions: has('--allow-dangerously-skip-permissions'),
    allowedTools: all('--allowedTools').flatMap(splitTools),
    disallowedTools: all('--disallowedTools').flatMap(splitTools),
    addDirs: all('--add-dir'),
    mcpConfig: all('--mcp-config'),
    strictMcpConfig: has('--strict-mcp-config'),
    pluginDirs: all('--plugin-dir'),
    disableSlashCommands: has('--disable-slash-commands'),
    bare: has('--bare'),
  };
  const set = <K extends keyof Options>(key: K, value: Options[K] | undefined): void => {
    if (value !== undefined) options[key] = value;
  };
  set('prompt', positional[0]);
  set('model', last('--model'));
  if (has('--resume')) options.resume = last('--resume') ?? true;
  set('sessionId', last('--session-id'));
  set('name', last('--name'));
  if (has('--setting-sources')) options.settingSources = splitList(last('--setting-sources') ?? '', ',');
  set('permissionMode', last('--permission-mode')?.replace(/^manual$/, 'default'));
  if (last('--permission-prompts') !== 'none') set('permissionPromptTool', last('--permission-prompt-tool'));
  if (has('--tools')) options.tools = all('--tools').flatMap(splitTools);
  set('systemPrompt', systemPrompt(last));
  set('agents', last('--agents'));
  set('agent', last('--agent'));
  set('jsonSchema', last('--json-schema'));
  set('maxBudgetUsd', positiveNumber(last('--max-budget-usd'), '--max-budget-usd <amount>'));
  set('maxTurns', positiveNumber(last('--max-turns'), '--max-turns <turns>'));
  set('scenario', last('--scenario'));
  set('failure', last('--failure'));
  set('claudeVersion', last('--claude-version'));
  set('cwd', last('--cwd'));
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
  if (options.sessionId !== undefined) {
    if ((options.resume !== undefined || options.continue) && !options.forkSession) {
      throw new CliError(
        'Error: --session-id can only be used with --continue or --resume if --fork-session is also specified.',
      );
    }
    if (!isUuid(options.sessionId)) throw new CliError('Error: Invalid session ID. Must be a valid UUID.');
  }
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
  const file = (name: string): string | undefined => {
    const path = last(name);
    return path === undefined ? undefined : readFileSync(path, 'utf8');
  };
  const parts = [
    last('--system-prompt') ?? file('--system-prompt-file'),
    last('--append-system-prompt') ?? file('--append-system-prompt-file'),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

function positiveNumber(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new CliError(`error: option '${option}' argument '${text}' is invalid. It must be a positive number.`);
}
