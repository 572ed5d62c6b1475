/** Flags of the real CLI that the stand-in refuses, because ignoring them would change the result. */
export const REFUSED_FLAGS: readonly string[] = [
  ...['--advisor', '--agent-color', '--agent-id', '--agent-name'],
  ...['--agent-type', '--agents-view-if-allowed', '--allow-other-models', '--append-subagent-system-prompt'],
  ...['--append-subagent-system-prompt-file', '--await-claim', '--client-data-url', '--correlation-id'],
  ...['--dangerously-load-development-channels', '--deep-link-cwd-b64', '--deep-link-last-fetch', '--deep-link-origin'],
  ...['--deep-link-repo', '--forward-home-settings', '--host-auth-is-org-sign-in', '--include-unsupported-models'],
  ...['--inherit-permission-mode', '--lead-verify-key', '--messaging-socket-path', '--on-branch'],
  ...['--parent-session-id', '--plan-mode-instructions', '--plan-mode-required', '--pool'],
  ...['--prefill', '--prefill-b64', '--proactivity', '--ref'],
  ...['--reply-on-resume', '--runner-declares', '--session-began-as-copy', '--team-name'],
  ...['--teammate-mode', '--watch-artifact', '--watch-artifact-no-autoreact', '--workload'],
  ...['--background', '--bg', '--brief', '--channels', '--chrome', '--cloud', '--desktop', '--environment'],
  ...['--file', '--from-pr', '--managed-settings-in-initialize', '--plugin-dir-no-mcp', '--plugin-url'],
  ...['--project-config-root', '--prompt-suggestions', '--remote-control', '--remote-control-session-name-prefix'],
  ...['--restricted', '--resume-drops-turn', '--resume-session-at', '--rewind-files', '--safe-mode', '--sdk-url'],
  ...['--teleport', '--tmux', '--worktree', '-w'],
];

/** Commands of the real CLI, which need no model. */
export const REFUSED_COMMANDS: readonly string[] = [
  ...['agents', 'attach', 'auth', 'auto-mode', 'doctor', 'gateway', 'import', 'install', 'kill', 'logs', 'mcp'],
  ...['plugin', 'plugins', 'purge', 'respawn', 'rm', 'setup-token', 'stop', 'ultrareview', 'update', 'upgrade'],
];
