import { type FlagTable, readWords } from '../flags.js';

/** The flags of `copilot`. */
const COPILOT_FLAGS: FlagTable = {
  prompt: { value: 'one', short: 'p' },
  interactive: { value: 'one', short: 'i' },
  directory: { value: 'one', short: 'C' },
  resume: { value: 'optional', short: 'r' },
  name: { value: 'one', short: 'n' },
  connect: { value: 'optional' },
  share: { value: 'optional' },
  ...tableOf(
    'one',
    'model reasoning-effort context auto-tier agent session-id log-dir extension-sdk-path log-level stream output-format',
    'add-dir attachment disable-mcp-server enable-mcp-server add-github-mcp-toolset add-github-mcp-tool plugin-dir mode',
    'additional-mcp-config mcp-github-auth secret-env-vars max-autopilot-continues environment-host',
    'environment-compute-id dynamic-retrieval max-ai-credits usage-output-file',
  ),
  ...tableOf('many', 'allow-tool deny-tool available-tools excluded-tools allow-url deny-url'),
  silent: { value: 'none', short: 's' },
  version: { value: 'none', short: 'v' },
  help: { value: 'none', short: 'h' },
  ...tableOf(
    'none',
    'fleet trust-folder disable-client-telemetry enable-memory continue allow-all-tools allow-all-paths disallow-temp-dir',
    'banner screen-reader plain-diff share-gist disable-builtin-mcps enable-all-github-mcp-tools allow-all-urls allow-all',
    'allow-all-mcp-server-instructions yolo autopilot plan experimental bash-env mouse acp remote remote-export',
    'assisted-approval no-custom-instructions no-auto-update no-ask-user no-color no-experimental no-bash-env no-mouse',
    'no-remote no-remote-export no-eager-powershell-resolution',
  ),
};

function tableOf(value: FlagTable[string]['value'], ...names: string[]): FlagTable {
  return Object.fromEntries(names.flatMap((words) => words.split(' ')).map((name) => [name, { value }]));
}

/** What is piped in is the prompt where none is among the words. */
export function promptOf(argv: readonly string[], stdin: string): string {
  const { flags } = readWords(argv, COPILOT_FLAGS);
  const prompt = flags.get('prompt') ?? flags.get('interactive');
  return typeof prompt === 'string' ? prompt : stdin;
}
