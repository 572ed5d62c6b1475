import type { AgentDriver } from '../driver.js';
import { claudeCallReader } from './call-reader.js';
import { ClaudeSession } from './session.js';
import { claudeInTerminal } from './terminal-session.js';

/** Claude Code, and the stand-in that takes its place. */
export const claudeDriver: AgentDriver<ClaudeSession> = {
  readCall: claudeCallReader,
  start: (options) => ClaudeSession.start(options),
  terminal: claudeInTerminal,
};
