/**
 * What a plain Claude Code of this version lists about itself; its tools are in tools.ts. When the version moves, the
 * conformance suite says what has changed here.
 */
export const CLAUDE_VERSION = '2.1.325';

export const SKILLS: readonly string[] = [
  'deep-research',
  'dataviz',
  'update-config',
  'verify',
  'debug',
  'code-review',
  'simplify',
  'batch',
  'fewer-permission-prompts',
  'doctor',
  'loop',
  'claude-api',
  'workflow-authoring',
  'run',
  'run-skill-generator',
  'plugin-authoring',
];

/** Commands that are not skills. */
export const COMMANDS: readonly string[] = [
  'agents',
  'auto-mode-setup',
  'autocompact',
  'clear',
  'color',
  'compact',
  'config',
  'output-style',
  'context',
  'effort',
  'fast',
  'focus',
  'heapdump',
  'init',
  'mcp',
  'model',
  '__remote-workflow',
  'workflow-launch-exec',
  'reload-plugins',
  'reload-skills',
  'rename',
  'security-review',
  'usage',
  'insights',
  'recap',
  'goal',
  'list-agents',
  'team-onboarding',
];

/** Commands that the CLI does not list, because only its screen has them. */
export const UI_COMMANDS: readonly string[] = [
  ...['copy', 'cost', 'exit', 'help', 'hooks', 'ide', 'login', 'logout', 'permissions', 'plugin', 'quit', 'resume'],
  ...['status', 'theme', 'vim'],
];

export const TERMINAL_COMMANDS: readonly string[] = ['doctor', 'color', 'focus', 'reload-plugins'];

export const AGENTS: readonly string[] = ['claude', 'Explore', 'general-purpose', 'Plan', 'statusline-setup'];

export const PLUGINS: readonly { name: string; path: string; source: string }[] = [
  'cc-plugin-agents-md',
  'cc-plugin-privacy',
  'cc-plugin-plugin-authoring',
].map((name) => ({ name, path: 'builtin', source: `${name}@builtin` }));

/** What the stand-in can be asked on its control channel; the real CLI lists more. */
export const CAPABILITIES: readonly string[] = ['interrupt_receipt_v1', 'sdk_mcp_tools_list_changed'];

/** What the CLI writes to the model after an answer that was cut off. */
export const RESUME_REQUEST =
  'Your response above was cut off mid-stream. Resume directly from where it stops — no apology, no recap. If none of it survived, answer the request from the start.';
