import { claudeDriver } from './claude/driver.js';
import { codexDriver } from './codex/driver.js';
import type { AgentDriver } from './driver.js';
import { geminiDriver } from './gemini/driver.js';
import { kiroDriver } from './kiro/driver.js';
import { openCodeDriver } from './opencode/driver.js';
import type { AgentName } from './pinned.js';

/** The driver of each CLI. */
export const drivers: Record<AgentName, AgentDriver> = {
  claude: claudeDriver,
  opencode: openCodeDriver,
  codex: codexDriver,
  gemini: geminiDriver,
  kiro: kiroDriver,
};
