import { CLAUDE_FLAGS, CLAUDE_MINOR_FLAGS, hookEvents, isSubagentTool, KNOWN_TOOLS } from '@understudy/agents';
import type { Border } from '../shared/border.js';
import { REFUSED_COMMANDS, REFUSED_FLAGS } from './cli/flags.js';
import { HANDLERS, REFUSED_REQUESTS } from './control/requests.js';
import { REFUSED } from './refused.js';
import { LIVE_TOOLS } from './tools/live-tools.js';

const events = Object.entries(hookEvents);
const isUnplayed = (facts: object): boolean => 'unplayed' in facts;
const playedTools = new Set(['Skill', 'AskUserQuestion', ...LIVE_TOOLS]);
const isPlayed = (tool: string): boolean => isSubagentTool(tool) || playedTools.has(tool);

/** What the stand-in of Claude Code does, and what it refuses. */
export const border: Border = {
  cli: 'Claude Code',
  names: {
    flag: {
      played: CLAUDE_FLAGS.flatMap(({ names }) => names),
      ignored: CLAUDE_MINOR_FLAGS.flatMap(({ names }) => names),
      refused: REFUSED_FLAGS,
    },
    subcommand: { refused: REFUSED_COMMANDS },
    tool: {
      played: [...KNOWN_TOOLS].filter(isPlayed),
      refused: [...KNOWN_TOOLS].filter((tool) => !isPlayed(tool)),
    },
    'hook event': {
      played: events.filter(([, facts]) => !isUnplayed(facts)).map(([name]) => name),
      refused: events.filter(([, facts]) => isUnplayed(facts)).map(([name]) => name),
    },
    'hook type': { played: ['command', 'prompt', 'agent'], refused: ['http', 'mcp_tool', 'asyncRewake'] },
    'control request': { played: ['initialize', 'interrupt', ...HANDLERS.keys()], refused: [...REFUSED_REQUESTS] },
    setting: { refused: ['enabledPlugins', 'extraKnownMarketplaces'] },
  },
  // Requests are named above.
  sentences: Object.values(REFUSED).filter((sentence) => sentence !== REFUSED.controlRequests),
};
