import type { AgentDriver } from '../driver.js';
import { claudeCallReader } from './call-reader.js';
import { ClaudeSession } from './session.js';
import { claudeInTerminal } from './terminal-session.js';

/** Claude Code, and the stand-in that takes its place. */
export const claudeDriver: AgentDriver<ClaudeSession> = {
  agent: 'claude',
  stages: ['sim', 'scripted', 'live'],
  credentials: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_MODEL',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_USE_VERTEX',
  ],
  readCall: claudeCallReader,
  start: (options) => ClaudeSession.start(options),
  terminal: claudeInTerminal,
};
