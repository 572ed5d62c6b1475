import type { AgentDriver } from '../driver.js';
import { claudeCallReader } from './call-reader.js';
import { configPaths } from './facts/config-paths.js';
import { settleClaude } from './home.js';
import { ClaudeSession } from './session.js';
import { claudeInTerminal } from './terminal-session.js';
import { transcriptTurns } from './transcript-reader.js';

/** Claude Code, and the stand-in that takes its place. */
export const claudeDriver: AgentDriver<ClaudeSession> = {
  readCall: claudeCallReader,
  start: (options) => ClaudeSession.start(options),
  // In a terminal it would ask for trust, a theme and each of the keys.
  prepareHome({ home, terminal }) {
    if (terminal !== undefined) settleClaude(configPaths({ HOME: home }), terminal.cwd, terminal.keys);
  },
  transcriptTurns,
  terminal: claudeInTerminal,
};
